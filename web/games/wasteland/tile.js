// A tile in a minute: a tap in the middle of each space cuts the hexagon, icons are tapped into the space that was tapped last,
// a drag out of a space takes over the triangles below it, and a photo lies behind.
"use strict";
const tile = by("tile");
const rows = document.querySelector("[name=pattern]");
const picture = tile.querySelector("svg");
const triangles = [...picture.querySelectorAll("polygon")];
const letters = [...tile.querySelectorAll("[name=paint]")].map((one) => one.value);
const chips = [...tile.querySelectorAll(".chips button")];
const spaces = new Map([...document.querySelectorAll(".space")].map((one) => [one.dataset.letter, one]));
const LONG = [7, 9, 11, 11, 9, 7];
const SIGN = 17;
let pattern = rows.value.replace(/\s/g, "");
let current = letters[0]; // the space whose icons are tapped
let drag = null; // the letter that a finger carries, and the triangle it came from
const middles = new Map(); // the triangle that was tapped for each space
const painted = new Map(); // triangles whose letter was told one by one

const chosen = () => tile.querySelector("[name=paint]:checked");
const field = (letter, name) => spaces.get(letter).querySelector(`[name$="_${name}"]`);
const enemies = (letter) => [...spaces.get(letter).querySelectorAll('[name*="_enemy_"]')];
const owned = (letter) => triangles.map((_, nth) => nth).filter((nth) => pattern[nth] === letter);

function centre(nth) {
	const corners = triangles[nth].getAttribute("points").split(" ");
	const sum = (at) => corners.reduce((all, corner) => all + Number(corner.split(",")[at]), 0) / 3;
	return [sum(0), sum(1)];
}

function middle(letter) {
	const own = owned(letter);
	const mean = [0, 1].map((at) => own.reduce((sum, nth) => sum + centre(nth)[at], 0) / own.length);
	const away = (nth) => Math.hypot(centre(nth)[0] - mean[0], centre(nth)[1] - mean[1]);
	return own.reduce((best, nth) => (away(nth) < away(best) ? nth : best));
}

// Every triangle belongs to the nearest middle: the borders stand at once.
function cut() {
	const spots = [...middles].map(([letter, nth]) => [letter, ...centre(nth)]);
	pattern = triangles
		.map((_, nth) => {
			if (middles.has(painted.get(nth))) return painted.get(nth);
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

function paint(nth, letter) {
	painted.set(nth, letter);
	pattern = pattern.slice(0, nth) + letter + pattern.slice(nth + 1);
}

// What stands in a space, as its chips say it.
function printed(letter) {
	const place = field(letter, "icon").value;
	const level = field(letter, "level").value;
	return [
		["encounter", level ? `${place} ${level}` : place],
		...enemies(letter).map((one) => ["enemy", one.value]),
		...["difficult", "irradiated"].map((one) => ["terrain", field(letter, one).checked ? one : ""]),
	].filter(([, value]) => value);
}

// An icon whose level is typed in has one chip for every level.
const chipOf = ([name, value]) => {
	const fits = (said) => chips.find((one) => one.dataset.field === name && one.dataset.value === said);
	return fits(value) || fits(value.split(" ")[0]);
};

function press(chip) {
	const { field: name, value } = chip.dataset;
	const on = chip.getAttribute("aria-pressed") === "true";
	if (name === "encounter") {
		const [place, level] = on ? ["", ""] : value.split(" ");
		field(current, "icon").value = place;
		field(current, "level").value = level || "";
	} else if (name === "terrain") {
		field(current, value).checked = !on;
	} else {
		const rows = enemies(current);
		const free = rows.find((one) => !one.value);
		if (free) free.value = value;
		else for (const one of rows) if (one.value === value) one.value = "";
	}
	show();
}

function drawn(letter) {
	const [x, y] = centre(middle(letter));
	const found = printed(letter).map(chipOf).filter(Boolean);
	return found.map((chip, nth) => {
		const left = x + (nth - found.length / 2) * SIGN;
		const level = chip.dataset.level
			? `<text x="${left + SIGN - 4}" y="${y + SIGN / 2}">${chip.dataset.level}</text>`
			: "";
		const at = `x="${left}" y="${y - SIGN / 2}" width="${SIGN - 3}" height="${SIGN - 3}"`;
		return `<svg ${at} viewBox="0 0 22 22"><use href="#w-${chip.dataset.sign}"/></svg>${level}`;
	});
}

function show() {
	let at = 0;
	rows.value = `${LONG.map((long) => " ".repeat((11 - long) / 2) + pattern.slice(at, (at += long))).join("\n")}\n`;
	if (!pattern.includes(current)) current = pattern[0];
	triangles.forEach((one, nth) => {
		const now = pattern[nth] === current ? " now" : "";
		one.setAttribute("class", `ink-${letters.indexOf(pattern[nth])}${now}`);
	});
	for (const [letter, space] of spaces) space.hidden = letter !== current;
	by("tile-icons").textContent = by("tile-icons").dataset.says.replace("…", current);
	const here = printed(current).map(chipOf);
	for (const chip of chips) {
		chip.setAttribute("aria-pressed", here.includes(chip));
	}
	by("tile-signs").innerHTML = [...new Set(pattern)].flatMap(drawn).join("");
}

const below = (event) => triangles.indexOf(document.elementFromPoint(event.clientX, event.clientY));

picture.addEventListener("pointerdown", (event) => {
	const nth = below(event);
	drag = nth < 0 || middles.size === 0 ? null : { from: nth, letter: pattern[nth], moved: false };
});
picture.addEventListener("pointermove", (event) => {
	const nth = drag ? below(event) : -1;
	if (nth < 0 || nth === drag.from || pattern[nth] === drag.letter) return;
	drag.moved = true;
	current = drag.letter;
	paint(nth, drag.letter);
	show();
});
picture.addEventListener("click", (event) => {
	const nth = below(event);
	const carried = drag && drag.moved;
	drag = null;
	if (nth < 0 || carried) return;
	current = chosen().value;
	if (by("tile-single").checked) {
		paint(nth, current);
	} else {
		middles.set(current, nth);
		cut();
		const next = letters.find((letter) => !middles.has(letter));
		if (next) tile.querySelector(`[name=paint][value="${next}"]`).checked = true;
	}
	show();
});
addEventListener("pointerup", () => {
	if (drag && drag.moved) setTimeout(() => (drag = null)); // the click of the same finger comes first
});
for (const chip of chips) chip.addEventListener("click", () => press(chip));
for (const one of tile.querySelectorAll("[name=paint]")) {
	one.addEventListener("change", () => {
		if (pattern.includes(one.value)) current = one.value;
		show();
	});
}
for (const space of spaces.values()) space.addEventListener("change", show);
by("tile-file").addEventListener("change", (event) => {
	const [file] = event.target.files;
	if (file) by("tile-photo").setAttribute("href", URL.createObjectURL(file));
	tile.classList.toggle("photo", Boolean(file));
});
// A tile that is cut already is corrected triangle by triangle, unless somebody wants to cut it anew.
function begun() {
	for (const letter of new Set(pattern)) middles.set(letter, middle(letter));
	by("tile-single").checked = true;
}
if (pattern.length === triangles.length) {
	if (new Set(pattern).size > 1) begun();
	tile.hidden = false;
	by("tile-rows").hidden = true;
	show();
}
