"""What axe-core finds on a page."""

import pytest

axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-core is not installed")

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
"""What axe judges by; in the second scheme only what colours can change."""
JUDGED = {
    "dark": {"runOnly": {"type": "tag", "values": TAGS}, "resultTypes": ["violations"]},
    "light": {"runOnly": {"type": "rule", "values": ["color-contrast"]}, "resultTypes": ["violations"]},
}


def judged(page, name):
    """What axe finds, in one line each, in both schemes."""
    found = []
    for scheme, options in JUDGED.items():
        page.emulate_media(color_scheme=scheme)
        for one in axe.Axe().run(page, options=options).response["violations"]:
            found += [f"{name} {scheme}: {one['id']}: {node['html'][:160]}" for node in one["nodes"]]
    return found
