"""A page is one folder: its routes are found by looking, its templates, styles and scripts are read from there."""

import pkgutil
import re

import pytest

import web.pages
from web.base.app import DOORS
from web.base.templating import WEB, static_files, unpadded
from web.games import port

FEATURES = [one.name for one in pkgutil.iter_modules(web.pages.__path__)]
SOURCES = "\n".join(path.read_text(encoding="utf-8") for end in ("*.py", "*.html") for path in WEB.rglob(end))
SCRIPTS = "\n".join(path.read_text(encoding="utf-8") for path in WEB.rglob("*.js"))
"""A script may ask for what the first look does without."""


@pytest.mark.parametrize("feature", FEATURES)
def test_the_routes_of_every_feature_are_registered(house, feature):
    assert feature in house.app.blueprints


def test_pages_are_linked_where_they_say_in_the_order_of_their_places(house):
    nav = house.client().get("/history").text.partition('<nav id="nav"')[2].partition("</nav>")[0]
    linked = re.findall(r'href="([^"]*)"', nav)
    assert [door.href for door in DOORS] == [one for one in linked if one in {door.href for door in DOORS}]
    assert [one.place for one in DOORS] == sorted(one.place for one in DOORS)
    assert {"/join", "/history", "/table", "/host"} <= set(linked)


@pytest.mark.parametrize("file", [path for path in WEB.rglob("*.html") if path.parent.name != "templates"], ids=str)
def test_every_template_is_asked_for_by_its_folder(file):
    assert re.search(rf"""["']{file.parent.name}/{file.name}["']""", SOURCES)


@pytest.mark.parametrize("name", sorted(static_files()))
def test_every_style_and_script_is_asked_for_and_served(house, name):
    beside = name.removesuffix(".js")  # a script that is fetched late takes the address of another one, with its stamp
    assert f"'{name}'" in SOURCES or f'"{name}"' in SOURCES or f'"{name}"' in SCRIPTS or f'"{beside}"' in SCRIPTS
    with house.client().get(f"/static/{name}") as answer:
        assert answer.status_code == 200


SELECTORS = "/* Why. */\n.a > .b,\n.c {\n\tcolor: red;\n\tmargin: 0.5rem 10.5px;\n}\n"
MEDIA = "@media (min-width: 3px) and (x) {\n\t.a {\n\t\twidth: calc(1px + 2px);\n\t}\n}\n"


@pytest.mark.parametrize(
    ("name", "written", "sent"),
    [
        ("a.css", SELECTORS, ".a>.b,.c{color:red;margin:.5rem 10.5px}"),
        ("a.css", '.a :hover {\n\tcontent: "{ 0.5;  /* } */";\n}\n', '.a :hover{content:"{ 0.5;  /* } */"}'),
        ("a.css", MEDIA, "@media (min-width:3px) and (x){.a{width:calc(1px + 2px)}}"),
        ("a.js", '// Why.\nlet a = "x; // y"; // so\n\n\ta += 1;\n', 'let a="x; // y";a+=1;'),
        ("a.js", 'a = b ? `c = ${d}` : "e = f";\n', 'a=b?`c = ${d}`:"e = f";'),
    ],
)
def test_a_style_and_a_script_are_sent_without_what_only_their_authors_read(tmp_path, name, written, sent):
    file = tmp_path / name
    file.write_text(written)
    assert unpadded(file).decode().strip() == sent


@pytest.mark.parametrize("file", sorted(WEB.rglob("*.js")), ids=lambda file: file.name)
def test_a_script_loses_no_word_and_keeps_each_text(file):
    texts = re.compile(r""""[^"\n]*"|'[^'\n]*'|`[^`]*`""")
    lines = (re.sub(r"(?<=[;{}]) // .*$", "", line).strip() for line in file.read_text(encoding="utf-8").splitlines())
    written, sent = "\n".join(line for line in lines if not line.startswith("//")), unpadded(file).decode()
    assert texts.findall(sent) == texts.findall(written)
    assert re.sub(r"\s", "", sent) == re.sub(r"\s", "", written)


@pytest.mark.parametrize(
    "name", ["table/__init__.py", "table/noseat.html", "api/openapi.json", "../pages/table/seat.css", ""]
)
def test_nothing_else_is_served(house, name):
    assert house.client().get(f"/static/{name}").status_code == 404


def test_pages_of_games_are_found_by_looking():
    assert set(port.names()) == {"shelter", "wasteland"}
    assert {type(port.pages_of(name)).__module__ for name in port.names()} == {
        "web.games.shelter.pages",
        "web.games.wasteland.pages",
    }
