// The calibration's page: a film of what the camera sees, and what the open step says of it, a little after it says so.
"use strict";
const EVERY = 700;
const RESTING = 3000; // no step is open: only the head of the page can be news

// The film begins when the page is there, and again when the camera comes back.
function film() {
	const picture = document.getElementById("picture");
	if (!picture || picture.dataset.on) return;
	picture.dataset.on = "yes";
	picture.onerror = () => {
		setTimeout(() => {
			delete picture.dataset.on;
			film();
		}, 3000);
	};
	picture.src = `${picture.dataset.film}?${Date.now()}`;
}

async function look() {
	const answer = await fetch("/calibrate", { cache: "no-store" });
	if (!answer.ok) return;
	const page = new DOMParser().parseFromString(await answer.text(), "text/html");
	const here = document.getElementById("picture");
	const there = page.getElementById("picture");
	if (here && there) there.replaceWith(here.cloneNode());
	if (document.activeElement && document.activeElement.tagName === "SELECT") return; // somebody is choosing
	replace(page.getElementById("live"));
	film();
}

async function watch() {
	try {
		if (!document.hidden) await look();
	} catch {
		away(true);
	} finally {
		setTimeout(watch, document.querySelector("[data-step]") ? EVERY : RESTING);
	}
}

document.addEventListener("submit", async (event) => {
	if (!event.target.matches("[data-word]")) return;
	event.preventDefault();
	const answer = await fetch(event.target.getAttribute("action"), {
		method: "POST",
		headers: { "Content-Type": "application/json" },
		body: JSON.stringify(Object.fromEntries(new FormData(event.target))),
	});
	if (!answer.ok) refused((await answer.json()).error);
	if (document.activeElement) document.activeElement.blur();
	await look();
});
addEventListener("load", () => {
	film();
	watch();
});
