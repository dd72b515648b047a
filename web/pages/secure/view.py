"""What a phone is shown first, and the profile that iPhones install."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from web.base.words import Words

PAYLOAD: Final = "io.github.table-companion.authority"
APPLE: Final = ("iPhone", "iPad", "Macintosh")
"""An iPad says that it is a Mac, and a Mac installs the same profile."""


def kind_of(agent: str) -> str:
    """Return whose words a browser is shown first: `ios`, `android`, or `computer`."""
    if "Android" in agent:
        return "android"
    return "ios" if any(name in agent for name in APPLE) else "computer"


def mobileconfig(authority: bytes, words: Words) -> bytes:
    """Return an authority as a profile; the same authority takes the place of itself, another stands beside it."""
    import plistlib  # noqa: PLC0415 - only who installs it waits for what these load
    import ssl  # noqa: PLC0415
    import uuid  # noqa: PLC0415

    der = ssl.PEM_cert_to_DER_cert(authority.decode("ascii"))
    mark = sha256(der).hexdigest()
    name = words.text("app_title")

    def identified(part: str) -> dict[str, object]:
        return {
            "PayloadIdentifier": f"{PAYLOAD}.{mark[:12]}.{part}",
            "PayloadUUID": str(uuid.uuid5(uuid.NAMESPACE_OID, mark + part)).upper(),
            "PayloadVersion": 1,
            "PayloadDisplayName": name,
        }

    certificate = identified("root") | {"PayloadType": "com.apple.security.root", "PayloadContent": der}
    whole = identified("profile") | {
        "PayloadType": "Configuration",
        "PayloadDescription": words.text("secure_profile"),
        "PayloadContent": [certificate],
    }
    return plistlib.dumps(whole)
