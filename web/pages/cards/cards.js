// The page of a card: a tap on an icon changes it, and the picture, without another page. Nothing is kept before it is sent.
"use strict";
let waiting = Promise.resolve();
let underway = 0;

// One after the other: each tap is about what the one before it has left.
function draft(id) {
	if (underway && id?.endsWith("-drop")) return; // its place belongs to another icon by then
	underway += 1;
	waiting = waiting.then(() => drafted(id)).catch(() => say(body.dataset.lost));
	waiting.finally(() => {
		underway -= 1;
	});
}

async function drafted(id) {
	const form = by("correct");
	const sent = new URLSearchParams(new FormData(form));
	if (id) {
		if (!by(id)) return;
		sent.set(by(id).name, by(id).value);
	}
	const answer = await fetch(form.getAttribute("action"), { method: "POST", body: sent });
	if (!answer.ok) {
		say(body.dataset.lost);
		return;
	}
	const page = new DOMParser().parseFromString(await answer.text(), "text/html");
	const picture = new Image();
	picture.src = page.getElementById("picture").getAttribute("src");
	await picture.decode().catch(() => {}); // so that the old one stays until the new one can be shown
	const row = id && by(id)?.closest(".of, .part")?.id;
	const top = scrollY;
	replace(page.getElementById("live"));
	if (id && !by(id) && row) by(row)?.querySelector("button")?.focus({ preventScroll: true });
	scrollTo(0, top);
	by("heard").textContent = by("picture").alt;
	body.dataset.drafted = Number(body.dataset.drafted ?? 0) + 1;
}

document.addEventListener("submit", (event) => {
	if (event.target.id !== "correct" || event.submitter?.id === "keep") return;
	event.preventDefault();
	draft(event.submitter?.name === "tap" ? event.submitter.id : null);
});
document.addEventListener("change", (event) => {
	if (event.target.closest("#correct") && event.target.name !== "confirmed") draft(null);
});
