// The form of a card: a tap on one of its buttons changes it without another page. Nothing is kept before it is sent.
"use strict";
let tapped = Promise.resolve();

async function draft(button, photo) {
	const form = by("card");
	const sent = new FormData(form);
	sent.set(button.name, button.value);
	if (photo) sent.set("photo", photo);
	const open = [...form.querySelectorAll("details[open]")].map((one) => one.id || one.parentNode.id);
	const answer = await fetch(form.getAttribute("action"), { method: "POST", body: new URLSearchParams(sent) });
	if (!answer.ok) throw new Error(answer.status);
	const page = new DOMParser().parseFromString(await answer.text(), "text/html");
	const top = scrollY;
	form.replaceWith(document.importNode(page.getElementById("card"), true));
	for (const id of open) {
		const same = by(id)?.matches("details") ? by(id) : by(id)?.querySelector(":scope > details");
		if (same) same.open = true;
	}
	offer();
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

// A photo is made small enough to be sent by anybody at the table.
async function small(file) {
	const picture = await createImageBitmap(file);
	const scale = Math.min(1, 640 / Math.max(picture.width, picture.height));
	const canvas = document.createElement("canvas");
	canvas.width = Math.round(picture.width * scale);
	canvas.height = Math.round(picture.height * scale);
	canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
	for (const quality of [0.8, 0.6, 0.4, 0.2]) {
		const text = canvas.toDataURL("image/jpeg", quality).split(",")[1];
		if (text.length < 44000) return text.replaceAll("+", "-").replaceAll("/", "_");
	}
	throw new Error("large");
}

function offer() {
	if (by("photo")) by("photo").hidden = false;
}

document.addEventListener("change", (event) => {
	const file = event.target.closest("#photo input")?.files[0];
	if (!file) return;
	tapped = tapped
		.then(() => small(file))
		.then((photo) => draft(by("t-photo"), photo))
		.catch(() => say(body.dataset.lost));
});
offer();
