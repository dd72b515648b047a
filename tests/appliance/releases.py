"""A newer release, made from a release archive."""

import tarfile
from io import BytesIO

RELEASED = "table-companion/released"
CHANGED = ("table-companion/README.md", "table-companion/scripts/appliance/table-companion.service")


def another(archive, target):
    """Write a release that is a second newer, with another readme and another service."""
    with tarfile.open(archive) as old, tarfile.open(target, "w", format=tarfile.GNU_FORMAT) as new:
        for one in old:
            content = old.extractfile(one).read() if one.isfile() else b""
            if one.name in CHANGED:
                content += b"# another release\n"
            elif one.name == RELEASED:
                content = b"%d\n" % (int(content) + 1)
            one.size = len(content)
            new.addfile(one, BytesIO(content))
