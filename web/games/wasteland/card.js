// The form of a card: a tap on one of its buttons changes it without another page. Nothing is kept before it is sent.
"use strict";
let tapped = Promise.resolve();

async function draft(button) {
	const form = by("card");
	const sent = new FormData(form);
	sent.set(button.name, button.value);
	const open = [...form.querySelectorAll("fieldset[id] > details[open]")].map((one) => one.parentNode.id);
	const answer = await fetch(form.getAttribute("action"), { method: "POST", body: new URLSearchParams(sent) });
	if (!answer.ok) throw new Error(answer.status);
	const page = new DOMParser().parseFromString(await answer.text(), "text/html");
	const top = scrollY;
	form.replaceWith(document.importNode(page.getElementById("card"), true));
	for (const id of open) {
		const palette = by(id)?.querySelector(":scope > details");
		if (palette) palette.open = true;
	}
	scrollTo(0, top);
	by(button.id)?.focus({ preventScroll: true });
	body.dataset.drafted = Number(body.dataset.drafted ?? 0) + 1;
}

document.addEventListener("submit", (event) => {
	if (!event.target.matches("#card") || event.submitter?.name !== "tap") return; // a field is called id, too
	event.preventDefault();
	const button = event.submitter;
	tapped = tapped.then(() => draft(button)).catch(() => say(body.dataset.lost));
});
