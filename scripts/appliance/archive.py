"""Make what is laid on a card: the release archive with its own wheels, and cloud-init's `user-data` that installs it.

Signed, it is what tables take whose pages are asked for an update. With an image, the list entry for Raspberry Pi
Imager too (`--repo`): sizes and hashes of image and download.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import io
import json
import os
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

HERE: Final = Path(__file__).parent
PROJECT: Final = HERE.parents[1]
NAME: Final = "table-companion.tar"
PYTHON: Final = "3.13"
"""Of Debian trixie, and of the Raspberry Pi OS that is made from it."""
MACHINES: Final = {"arm64": "aarch64", "amd64": "x86_64"}
GLIBCS: Final = ("2014", *(f"_2_{minor}" for minor in (17, 24, 26, 27, 28, 31, 34, 35, 38, 39)))
"""Wheels name the oldest C library that they run with; trixie's is newer than all of these."""
LEFT_OUT: Final = ("tests/", "docs/screens/", "benchmarks/")
"""No table reads them."""
RELEASED: Final = "released"
"""The file with the second that a release bears: a page takes nothing older than what runs."""
UPDATES, SIGNERS = "updates", "signers"
"""The files that say where a table finds new releases, and whose signatures count."""
PIECE: Final = 1 << 20
DEVICES: Final = ["pi5-64bit", "pi4-64bit", "pi3-64bit"]


def project_files() -> list[Path]:
    """Return the files of the project that a table reads, in their order."""
    listed = subprocess.run(  # noqa: S603 - git with words of our own
        ["git", "-C", str(PROJECT), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],  # noqa: S607
        capture_output=True,
        check=True,
        text=True,
    ).stdout
    names = sorted(name for name in set(listed.split("\0")) if name and not name.startswith(LEFT_OUT))
    return [PROJECT / name for name in names if (PROJECT / name).is_file()]


def wheels(folder: Path, arch: str) -> list[Path]:
    """Download the wheels that requirements.txt names for another processor, each held against its hash."""
    platforms = [word for glibc in GLIBCS for word in ("--platform", f"manylinux{glibc}_{MACHINES[arch]}")]
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
    asked = ["--only-binary=:all:", "--python-version", PYTHON, "--implementation", "cp", "--require-hashes"]
    subprocess.run(  # noqa: S603 - pip with words of our own
        [*command, *asked, *platforms, "--dest", str(folder), "-r", str(PROJECT / "requirements.txt")], check=True
    )
    return sorted(folder.glob("*.whl"))


def pack(
    target: Path, files: list[Path], brought: list[Path], moment: int, said: Mapping[str, bytes] | None = None
) -> None:
    """Write the archive: `table-companion/` is the project, and what is said beside it, `wheels/` what it needs.

    Same files, same bytes.
    """
    with tarfile.open(target, "w", format=tarfile.GNU_FORMAT) as archive:

        def add(name: str, content: bytes, mode: int = 0o644) -> None:
            entry = tarfile.TarInfo(name)
            entry.size, entry.mtime, entry.mode = len(content), moment, mode
            archive.addfile(entry, io.BytesIO(content))

        for file in files:
            runs = os.access(file, os.X_OK)
            add(f"table-companion/{file.relative_to(PROJECT)}", file.read_bytes(), 0o755 if runs else 0o644)
        for name, content in sorted({RELEASED: f"{moment}\n".encode(), **(said or {})}.items()):
            add(f"table-companion/{name}", content)
        for wheel in brought:
            add(f"wheels/{wheel.name}", wheel.read_bytes())


def hashed(file: Path) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def user_data() -> str:
    """Return cloud-init's file: it lays down installer and unit, those of our own image, and starts them."""
    parts = (
        ("/usr/local/sbin/table-companion-from-card", "0755", HERE / "card/from-card"),
        ("/etc/systemd/system/table-companion-card.service", "0644", HERE / "card/table-companion-card.service"),
    )
    written = "".join(
        f"  - path: {path}\n    permissions: '{mode}'\n    content: |\n{_indented(file.read_text(encoding='utf-8'))}"
        for path, mode, file in parts
    )
    return (HERE / "card/user-data").read_text(encoding="utf-8").replace("  # FILES\n", written)


def _indented(text: str) -> str:
    return "".join(f"      {line}\n" if line else "\n" for line in text.splitlines())


def repository(image: Path, download: Path, url: str, day: str) -> str:
    """Return the list that `rpi-imager --repo` takes: one entry, what it unpacks to, and what is downloaded."""
    entry = {
        "name": "Table companion",
        "description": "A table that starts by itself: write the card, plug it in, scan a code",
        "url": f"{url.rstrip('/')}/{download.name}",
        "extract_size": image.stat().st_size,
        "extract_sha256": hashed(image),
        "image_download_size": download.stat().st_size,
        "image_download_sha256": hashed(download),
        "release_date": day,
        "init_format": "none",
        "devices": DEVICES,
    }
    return json.dumps({"os_list": [entry]}, indent=2) + "\n"


def compress(image: Path, moment: int) -> Path:
    """Return the image as it is downloaded. Nearly all of it is compressed already: what is left is holes."""
    target = image.with_name(f"{image.name}.gz")
    with (
        image.open("rb") as source,
        target.open("wb") as raw,
        gzip.GzipFile("", "wb", compresslevel=6, fileobj=raw, mtime=moment) as packed,
    ):
        while piece := source.read(PIECE):
            packed.write(piece)
    return target


def moment_of_release() -> int:
    """Return the second that everything made from this commit bears: its own, or SOURCE_DATE_EPOCH."""
    said = os.environ.get("SOURCE_DATE_EPOCH")
    command = ["git", "-C", str(PROJECT), "log", "-1", "--format=%ct"]
    return int(said or subprocess.run(command, capture_output=True, check=True, text=True).stdout)  # noqa: S603


def sign(archive: Path, key: Path) -> Path:
    """Write the signature of an archive beside it, as git signs tags: with `ssh-keygen` and a key of OpenSSH."""
    signature = archive.with_name(f"{archive.name}.sig")
    signature.unlink(missing_ok=True)
    subprocess.run(["ssh-keygen", "-q", "-Y", "sign", "-f", str(key), "-n", "file", str(archive)], check=True)  # noqa: S603, S607
    return signature


def make(folder: Path, arch: str, said: Mapping[str, bytes] | None = None) -> None:
    """Make archive, its checksum and user-data in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        pack(folder / NAME, project_files(), wheels(Path(place), arch), moment_of_release(), said)
    (folder / f"{NAME}.sha256").write_text(f"{hashed(folder / NAME)}  {NAME}\n", encoding="ascii")
    (folder / "user-data").write_text(user_data(), encoding="utf-8")
    (folder / "meta-data").write_text("instance-id: table-companion\n", encoding="utf-8")


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python3 -m scripts.appliance.archive", description=__doc__)
    parser.add_argument("folder", type=Path, help="where the files are laid")
    parser.add_argument("--arch", choices=MACHINES, default="arm64")
    where = "where tables find new releases: a git repository, or this archive's address"
    parser.add_argument("--updates", default="", help=where)
    parser.add_argument("--signers", type=Path, help="a file of git's allowed signers, whose signatures tables take")
    parser.add_argument("--sign", type=Path, metavar="KEY", help="sign the archive with this key of OpenSSH")
    parser.add_argument("--image", type=Path, help="make the Imager's list entry for this image instead")
    parser.add_argument("--url", default="", help="where the image will be downloaded from; this machine unless said")
    asked = parser.parse_args(words)
    if asked.image is None:
        said = {UPDATES: f"{asked.updates}\n".encode()} if asked.updates else {}
        said |= {SIGNERS: asked.signers.read_bytes()} if asked.signers else {}
        make(asked.folder, asked.arch, said)
        if asked.sign:
            sign(asked.folder / NAME, asked.sign)
        return 0
    moment = moment_of_release()
    day = subprocess.run(["date", "-u", "-d", f"@{moment}", "+%F"], capture_output=True, check=True, text=True)  # noqa: S603, S607
    listed = repository(
        asked.image, compress(asked.image, moment), asked.url or asked.folder.resolve().as_uri(), day.stdout.strip()
    )
    (asked.folder / "repository.json").write_text(listed, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
