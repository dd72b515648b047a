"""What axe-core finds on a page, and what large letters do to it."""

import pytest
from browsing import PHONE

axe = pytest.importorskip("axe_playwright_python.base", reason="axe-core is not installed")

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
"""What axe judges by; in the second scheme only what colours can change."""
JUDGED = {
    "dark": {"runOnly": {"type": "tag", "values": TAGS}, "resultTypes": ["violations"]},
    "light": {"runOnly": {"type": "rule", "values": ["color-contrast"]}, "resultTypes": ["violations"]},
}
VIOLATIONS = """
async (options) => {
  const { violations } = await axe.run(document, options);
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
}
"""
CUT_OFF = """
() => [...document.querySelectorAll("body *:not(svg *)")].filter((one) => {
  const style = getComputedStyle(one);
  if (one.closest(".visually, .skip, .sprite, dialog:not([open])") || style.overflow === "visible") return false;
  return one.tagName !== "INPUT" && style.overflowX !== "auto" && one.scrollWidth > one.clientWidth + 1;
}).map((one) => one.outerHTML.slice(0, 120))
"""
BEYOND = """
() => [...document.querySelectorAll("#live *, .rest *")]
  .filter((one) => one.getBoundingClientRect().right > innerWidth + 1 && !one.closest("svg"))
  .map((one) => one.outerHTML.slice(0, 120))
"""
LARGE_AND_WIDE = """
() => {
  document.documentElement.style.fontSize = "200%";
  document.documentElement.style.setProperty("--sign", "DejaVu Sans");
  document.body.style.fontFamily = "DejaVu Sans";
  for (const one of document.querySelectorAll("details")) one.open = true;
}
"""


WHOLE = "document.body.classList.contains('phone') ? document.documentElement.scrollHeight : 0"


def judged(page, name):
    """What axe finds, in one line each, in both schemes.

    A phone's page is judged at its whole length: what lies below the strip at the foot can be scrolled from under it.
    """
    found, size = [], page.viewport_size
    page.set_viewport_size({**size, "height": max(size["height"], page.evaluate(WHOLE) + 100)})
    page.evaluate(axe.AXE_SCRIPT)
    for scheme, options in JUDGED.items():
        page.emulate_media(color_scheme=scheme)
        found += [f"{name} {scheme}: {one}" for one in page.evaluate(VIOLATIONS, options)]
    page.set_viewport_size(size)
    return found


def doubled(page, name):
    """What is cut off or scrolls sideways on a narrow phone when letters are twice as large and wide as well."""
    page.evaluate(LARGE_AND_WIDE)
    wide = page.evaluate("document.documentElement.scrollWidth")
    found = [f"{name} is {wide} wide: {page.evaluate(BEYOND)}"] if wide > PHONE["width"] else []
    return found + [f"{name}: {one}" for one in page.evaluate(CUT_OFF)]
