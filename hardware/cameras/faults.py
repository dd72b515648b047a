"""What is wrong with a camera when its library raises what nobody expected."""

from companion.table.ports import DeviceError


class UnexpectedError(DeviceError):
    """A fault of a camera that may as well be a bug of ours: its cause is logged with its trace."""
