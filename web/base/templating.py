"""Where templates, styles and scripts of the features are found, and how they are sent."""

from __future__ import annotations

import re
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Final
from zlib import crc32

from flask import abort, render_template, send_file
from jinja2 import FileSystemLoader
from jinja2.ext import Extension
from jinja2.lexer import Token

from companion.pieces.drawing.shapes import shapes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask import Flask, Response
    from jinja2.lexer import TokenStream

    from web.games.port import Page

WEB: Final = Path(__file__).parents[1]
BASE: Final = WEB / "base"
FOLDERS: Final = (WEB / "pages", WEB / "games", WEB)
"""A feature's file is called by its folder and its name: `table/noseat.html`, `table/seat.css`."""
SERVED: Final = frozenset({".css", ".js", ".svg", ".png"})
STYLE: Final = re.compile(
    r"""("[^"]*")|/\*.*?\*/\s*|\s*([{};,>])\s*|(?<=:)\s+|(?<![\w.])0(?=\.\d)|(\s)\s*""", re.DOTALL
)
"""A style in parts: strings stay, comments, space around marks and noughts before points go, other space is a blank."""
REMARK: Final = re.compile(r"""("[^"]*")|(?<=[;{}]) // .*$""")
BLANKS: Final = re.compile(r"""("[^"\n]*"|'[^'\n]*'|`[^`]*`)| *([-+]?[=!<>&|?:,(){}]+) *""")
"""A script in parts: strings stay, blanks around marks go."""
LAYOUT: Final = re.compile(r"^[ \t]+|[ \t]+(?=/>)", re.MULTILINE)


BLOCKS: Final = (
    "circle|defs|details|div|fieldset|footer|form|g|h1|h2|h3|header|legend|li|link|main|meta|nav|ol|p|path|rect"
    "|section|summary|symbol|table|tbody|td|th|thead|title|tr|ul|use"
)
BETWEEN: Final = re.compile(rf"\n+(?=</?(?:{BLOCKS})\b|</svg>)")
"""Line ends that nobody sees."""


class Unindented(Extension):
    """A source without the indentation of its lines, the space before `/>`, and line ends before blocks."""

    def filter_stream(self, stream: TokenStream) -> Iterator[Token]:
        """Return the tokens of a template; each keeps its line."""
        for token in stream:
            yield Token(token.lineno, "data", BETWEEN.sub("", token.value)) if token.type == "data" else token

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:  # noqa: ARG002 - Jinja's
        """Return the source as it is compiled; its lines keep their numbers."""
        return LAYOUT.sub("", source)


def install(app: Flask) -> None:
    """Find templates in the folders of the features, and serve their styles and scripts below /static.

    What lays out a template is left out of every page: indentation, and the lines of Jinja's own tags.
    """
    app.jinja_loader = FileSystemLoader([BASE / "templates", *FOLDERS])
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.add_extension(Unindented)
    app.jinja_env.filters["short"] = short
    app.jinja_env.globals["signs"] = shapes()
    files = static_files()
    version = _static_version(files)

    def static(filename: str) -> Response:
        if filename not in files:
            abort(404)
        sent = BytesIO(unpadded(files[filename]))
        return send_file(sent, download_name=Path(filename).name, etag=f"{version}-{len(sent.getvalue())}")

    app.add_url_rule("/static/<path:filename>", "static", static)
    app.url_defaults(lambda endpoint, values: values.setdefault("v", version) if endpoint == "static" else None)


def _read_part(found: re.Match[str]) -> str:
    text, mark, space = found.groups()
    return text or mark or (" " if space else "")


@cache
def unpadded(file: Path) -> bytes:
    """Return a style or script as it is sent: without what only its authors read."""
    if file.suffix == ".png":
        return file.read_bytes()
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".css":
        text = STYLE.sub(_read_part, text).replace(";}", "}")
    elif file.suffix == ".js":
        lines = (REMARK.sub(r"\1", line).strip() for line in text.splitlines())
        text = "\n".join(line for line in lines if line and not line.startswith("//"))
        text = BLANKS.sub(r"\1\2", re.sub(r"(?<=[;{}(,])\n", "", text))
    return text.encode()


def static_files() -> dict[str, Path]:
    """Return every style, script and picture by its address below /static; nothing else is served."""
    own = {file.name: file for file in (BASE / "static").iterdir()}
    features = {
        f"{file.parent.name}/{file.name}": file
        for folder in FOLDERS
        for file in folder.glob("*/*")
        if file.suffix in SERVED
    }
    return own | features


def _static_version(files: dict[str, Path]) -> str:
    """In the address of every file that phones keep for an hour: after an update they fetch the new ones."""
    stats = sorted((name, file.stat().st_size, file.stat().st_mtime_ns) for name, file in files.items())
    return f"{crc32(repr(stats).encode()):08x}"


def short(number: float) -> str:
    """Write a coordinate without digits that nobody sees."""
    return f"{round(number, 2):g}"


def render(page: Page, **more: object) -> str:
    """Return a page of a game as HTML."""
    return render_template(page.template, **page.fields, **more)
