// A phone adds a number of its own to the chance of a game: with the form that takes a seat or begins, or for its seat.
"use strict";

function draw() {
	const bytes = crypto.getRandomValues(new Uint8Array(16));
	return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// After the end the page of the check looks for the numbers of this phone, by the fingerprint that they follow.
function kept() {
	return JSON.parse(localStorage.getItem("numbers") ?? "{}");
}

function keep(promise, numbers) {
	const newest = Object.entries({ ...kept(), [promise]: numbers }).slice(-20);
	localStorage.setItem("numbers", JSON.stringify(Object.fromEntries(newest)));
}

// Two windows of one phone add one number: the second finds what the first has kept.
async function addFor(by, tries = 3) {
	const path = `/api/seats/${by}/number`;
	const { promise } = await (await fetch(path)).json();
	const before = kept()[promise] ?? [];
	if (!promise || before.some((one) => one.by === by)) return;
	const number = draw();
	keep(promise, [...before, { by, number }]);
	const answer = await fetch(path, {
		method: "POST",
		headers: { "Content-Type": "application/json" },
		body: JSON.stringify({ number, promise }),
	}).catch(() => ({ ok: false }));
	const { taken } = answer.ok ? await answer.json() : { taken: false };
	const others = (kept()[promise] ?? []).filter((one) => one.number !== number);
	keep(promise, taken ? [...others, { by, number, taken: true }] : others);
	// Another game began between the question and the answer: it has a promise of its own.
	if (answer.ok && !taken && tries > 1) await addFor(by, tries - 1);
}

document.addEventListener("submit", ({ target }) => {
	const promise = target.dataset.adds;
	if (!promise) return;
	const number = draw();
	keep(promise, [...(kept()[promise] ?? []), { number }]);
	for (const [name, value] of Object.entries({ number, promise })) {
		const field = document.createElement("input");
		Object.assign(field, { type: "hidden", name, value });
		target.querySelector(`[name=${name}]`)?.remove();
		target.append(field);
	}
});
document.addEventListener("addnumber", ({ detail }) => addFor(detail).catch(() => {}));
