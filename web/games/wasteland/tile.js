// A tile in a minute: a tap in the middle of each space cuts the hexagon, single triangles can be painted, a photo lies behind.
"use strict";
const tile = by("tile");
const rows = document.querySelector("[name=pattern]");
const triangles = [...tile.querySelectorAll("polygon")];
const letters = [...tile.querySelectorAll("[name=paint]")].map((one) => one.value);
const LONG = [7, 9, 11, 11, 9, 7];
let pattern = rows.value.replace(/\s/g, "");
const middles = new Map(); // the triangle that was tapped for each space

const chosen = () => tile.querySelector("[name=paint]:checked");

function centre(nth) {
	const corners = triangles[nth].getAttribute("points").split(" ");
	const sum = (at) => corners.reduce((all, corner) => all + Number(corner.split(",")[at]), 0) / 3;
	return [sum(0), sum(1)];
}

// Every triangle belongs to the nearest middle: the borders stand at once.
function cut() {
	const spots = [...middles].map(([letter, nth]) => [letter, ...centre(nth)]);
	pattern = triangles
		.map((_, nth) => {
			const [x, y] = centre(nth);
			return spots.reduce(
				(best, [letter, a, b]) => {
					const away = Math.hypot(x - a, y - b);
					return away < best[1] ? [letter, away] : best;
				},
				["", Infinity],
			)[0];
		})
		.join("");
}

function show() {
	let at = 0;
	rows.value = `${LONG.map((long) => " ".repeat((11 - long) / 2) + pattern.slice(at, (at += long))).join("\n")}\n`;
	triangles.forEach((one, nth) => one.setAttribute("class", `ink-${letters.indexOf(pattern[nth])}`));
	for (const space of document.querySelectorAll(".space")) space.hidden = !pattern.includes(space.dataset.letter);
}

tile.querySelector("svg").addEventListener("click", (event) => {
	const nth = triangles.indexOf(event.target);
	if (nth < 0) return;
	if (by("tile-single").checked) {
		pattern = pattern.slice(0, nth) + chosen().value + pattern.slice(nth + 1);
	} else {
		middles.set(chosen().value, nth);
		cut();
		const next = letters.find((letter) => !middles.has(letter));
		if (next) tile.querySelector(`[name=paint][value="${next}"]`).checked = true;
	}
	show();
});
by("tile-file").addEventListener("change", (event) => {
	const [file] = event.target.files;
	if (file) by("tile-photo").setAttribute("href", URL.createObjectURL(file));
	tile.classList.toggle("photo", Boolean(file));
});
// A tile that is cut already is corrected triangle by triangle, unless somebody wants to cut it anew.
function begun() {
	for (const letter of new Set(pattern)) {
		const own = triangles.map((_, nth) => nth).filter((nth) => pattern[nth] === letter);
		const mean = [0, 1].map((at) => own.reduce((sum, nth) => sum + centre(nth)[at], 0) / own.length);
		const away = (nth) => Math.hypot(centre(nth)[0] - mean[0], centre(nth)[1] - mean[1]);
		middles.set(
			letter,
			own.reduce((best, nth) => (away(nth) < away(best) ? nth : best)),
		);
	}
	by("tile-single").checked = true;
}
if (pattern.length === triangles.length) {
	if (new Set(pattern).size > 1) begun();
	tile.hidden = false;
	by("tile-rows").hidden = true;
	show();
}
