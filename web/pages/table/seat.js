// A player's own phone: it tells what was missed.
"use strict";
const place = by("away");
const KEY = "looked";
const LONG = 10000;
let hiddenAt = 0;

// What keeps a phone awake, nudges and calls is fetched after the page itself.
addEventListener("load", () => import(document.querySelector("meta[name=stay]").content));

document.addEventListener("told", () => {
	if (!document.hidden) looked();
});

function looked() {
	localStorage.setItem(KEY, JSON.stringify({ game: by("live").dataset.game, seq: seen }));
}

// What happened since this phone last showed the game to somebody.
async function missed() {
	const last = JSON.parse(localStorage.getItem(KEY) ?? "null");
	looked();
	if (!last || last.game !== by("live").dataset.game || last.seq < 0) return;
	const answer = await fetch(`${place.dataset.from}?since=${last.seq}`);
	if (!answer.ok) return;
	const page = new DOMParser().parseFromString(await answer.text(), "text/html");
	const told = page.getElementById("missed");
	if (told.dataset.others === "yes") place.replaceChildren(document.importNode(told, true));
}

place.addEventListener("click", (event) => {
	if (event.target.id !== "missed-ok") return;
	event.preventDefault();
	place.replaceChildren();
});
document.addEventListener("visibilitychange", () => {
	if (document.hidden) hiddenAt = Date.now();
	else if (Date.now() - hiddenAt > LONG) missed().catch(() => {});
});
missed().catch(() => {});
