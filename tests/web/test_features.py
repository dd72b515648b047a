"""A page is one folder: its routes are found by looking, its templates, styles and scripts are read from there."""

import pkgutil
import re
from importlib import import_module

import pytest

import web.pages
from web.base.templating import WEB, static_files
from web.games import port

FEATURES = [one.name for one in pkgutil.iter_modules(web.pages.__path__)]
SOURCES = "\n".join(path.read_text(encoding="utf-8") for end in ("*.py", "*.html") for path in WEB.rglob(end))


@pytest.mark.parametrize("feature", FEATURES)
def test_the_routes_of_every_feature_are_registered(house, feature):
    blueprint = import_module(f"web.pages.{feature}.routes").blueprint
    assert house.app.blueprints[blueprint.name] is blueprint
    assert blueprint.name == feature


@pytest.mark.parametrize("file", [path for path in WEB.rglob("*.html") if path.parent.name != "templates"], ids=str)
def test_every_template_is_asked_for_by_its_folder(file):
    assert re.search(rf"""["']{file.parent.name}/{file.name}["']""", SOURCES)


@pytest.mark.parametrize("name", sorted(static_files()))
def test_every_style_and_script_is_asked_for_and_served(house, name):
    assert f"'{name}'" in SOURCES
    with house.client().get(f"/static/{name}") as answer:
        assert answer.status_code == 200


@pytest.mark.parametrize(
    "name", ["table/routes.py", "table/noseat.html", "api/openapi.json", "../pages/table/seat.css", ""]
)
def test_nothing_else_is_served(house, name):
    assert house.client().get(f"/static/{name}").status_code == 404


def test_pages_of_games_are_found_by_looking():
    assert set(port.names()) == {"shelter", "wasteland"}
    assert {type(port.pages_of(name)).__module__ for name in port.names()} == {
        "web.games.shelter.pages",
        "web.games.wasteland.pages",
    }
