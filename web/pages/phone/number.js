// A phone adds a number of its own to the chance of a game: with the form that takes a seat or begins, or for its seat.
"use strict";

function draw() {
	const bytes = crypto.getRandomValues(new Uint8Array(16));
	return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// After the end the page of the check looks for the numbers of this phone, by the fingerprint that they follow.
function remember(promise, number, taken) {
	const kept = JSON.parse(localStorage.getItem("numbers") ?? "{}");
	const own = { ...Object.fromEntries(Object.entries(kept).slice(-20)), [promise]: [...(kept[promise] ?? [])] };
	own[promise].push({ number, taken });
	localStorage.setItem("numbers", JSON.stringify(own));
}

export async function add(colour) {
	const path = `/api/seats/${colour}/number`;
	const { promise } = await (await fetch(path)).json();
	if (!promise) return;
	const number = draw();
	const answer = await fetch(path, {
		method: "POST",
		headers: { "Content-Type": "application/json" },
		body: JSON.stringify({ number, promise }),
	});
	if (answer.ok) remember(promise, number, true);
}

document.addEventListener("submit", ({ target }) => {
	const promise = target.dataset.adds;
	if (!promise) return;
	const number = draw();
	remember(promise, number, false);
	for (const [name, value] of Object.entries({ number, promise })) {
		const field = document.createElement("input");
		Object.assign(field, { type: "hidden", name, value });
		target.querySelector(`[name=${name}]`)?.remove();
		target.append(field);
	}
});
