// The one script of the pages: it listens to the stream, shows what is new, and sends what is tapped.
"use strict";
const body = document.body;
const behind = document.getElementById("behind");
const said = document.getElementById("said");
let seen = Number(body.dataset.seq);
body.dataset.shown = seen;
let wanted = seen;
let loading = false;
let source = null;
let heard = Date.now();
let saidUntil = 0;

function say(text) {
  said.textContent = text;
  said.hidden = false;
  saidUntil = setTimeout(() => { said.hidden = true; }, 6000, clearTimeout(saidUntil));
}

// Take over what differs, section by section, so that nothing else moves; what is open, scrolled or focused stays so.
function replace(fresh) {
  const now = document.getElementById("live");
  const focused = document.activeElement && document.activeElement.id;
  const open = new Set([...now.querySelectorAll("details[open]")].map((one) => one.id));
  for (const one of fresh.querySelectorAll("details")) if (open.has(one.id)) one.open = true;
  swap(now, fresh);
  const again = focused && document.getElementById(focused);
  if (again && again !== document.activeElement) again.focus({ preventScroll: true });
}

function swap(now, fresh) {
  if (now.isEqualNode(fresh) || (now.tagName === "DETAILS" && now.contains(document.activeElement) && now.querySelector("form"))) return;
  const ids = (node) => [...node.children].map((child) => child.id).join(" ");
  const whole = [...fresh.children].every((child) => child.id) && fresh.children.length > 0;
  if (whole && ids(now) === ids(fresh)) {
    [...now.children].forEach((child, place) => swap(child, fresh.children[place]));
  } else {
    now.replaceWith(document.importNode(fresh, true));
  }
}

async function refresh() {
  if (loading) return;
  loading = true;
  try {
    while (seen < wanted) {
      const aim = wanted;
      const answer = await fetch(location.href, { cache: "no-store" });
      if (!answer.ok) break;
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const asked = (root) => root.querySelector(".choice, #where");
      const nudged = document.querySelector(".mine") && !asked(document) && asked(page);
      replace(page.getElementById("live"));
      seen = Math.max(aim, Number(page.body.dataset.seq)); // a page is never older than the event that called for it
      body.dataset.shown = seen;
      if (nudged) nudge();
    }
  } catch {
    behind.hidden = false;
  } finally {
    loading = false;
  }
}

// It is this player's turn to say something: the phone shakes, and what is asked comes into view.
function nudge() {
  if (navigator.vibrate) navigator.vibrate([80, 60, 80]);
  scrollTo({ top: 0 });
}

function listen() {
  if (source) source.close();
  source = new EventSource("/api/events");
  source.addEventListener("state", (event) => {
    heard = Date.now();
    behind.hidden = true;
    const seq = Number(event.lastEventId);
    if (seq < seen) seen = -1;
    wanted = seq;
    refresh();
  });
  source.onopen = () => { heard = Date.now(); behind.hidden = true; };
  source.onerror = () => {
    behind.hidden = false;
    if (source.readyState === EventSource.CLOSED) setTimeout(listen, 3000);
  };
}

async function send(move, version) {
  if (version) move.if_version = Number(version);
  const answer = await fetch("/api/moves", {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(move),
  });
  const told = await answer.json();
  if (!answer.ok) say(told.error.message);
}

async function act(button, move) {
  button.disabled = true;
  try {
    await send(move, button.dataset.version);
  } catch {
    behind.hidden = false;
  } finally {
    button.disabled = false;
  }
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-move]");
  if (button) act(button, JSON.parse(button.dataset.move));
});
document.addEventListener("visibilitychange", () => {
  if (!document.hidden && body.dataset.live === "yes") listen();
});
if (body.dataset.live === "yes") listen();
