// The map under a thumb: a tap on a goal moves, two fingers zoom, one finger drags where the whole map is shown.
"use strict";
const LEAST_DRAG = 6;
const NEAREST = 160;
let seenFrom = null; // what part of the map is shown, once a finger has changed it
let standing = ""; // the part around the own figure for which that was
let wide = false;
const fingers = new Map();
let dragged = false;

const drawn = () => document.querySelector("#map .drawn");
const numbers = (text) => text.split(" ").map(Number);

function look() {
	const map = by("map");
	if (!map) return;
	if (standing !== map.dataset.close) {
		standing = map.dataset.close;
		if (!wide) seenFrom = null; // the figure has moved: the map goes with it
	}
	map.classList.toggle("wide", wide);
	by("map-whole").hidden = false;
	by("map-whole").setAttribute("aria-pressed", wide);
	drawn().setAttribute("viewBox", seenFrom?.join(" ") ?? (wide ? map.dataset.whole : map.dataset.close));
}

// Keep what is below the fingers there, whatever they do.
function shift(before, after) {
	const [left, top, width, height] = numbers(drawn().getAttribute("viewBox"));
	const shown = drawn().getBoundingClientRect();
	const scale = Math.max(width / shown.width, height / shown.height);
	const whole = numbers(by("map").dataset.whole);
	const spread = (all) => (all.length > 1 ? Math.hypot(all[0].x - all[1].x, all[0].y - all[1].y) : 1);
	const centre = (all, key) => all.reduce((sum, one) => sum + one[key], 0) / all.length;
	const wanted = spread(before) / spread(after);
	const most = Math.max(whole[2] / width, whole[3] / height, 1);
	const zoom = Math.min(most, Math.max(NEAREST / width, wanted));
	const at = (key, edge) => (centre(before, key) - edge) * scale;
	const x = left + at("x", shown.left) * (1 - zoom) - (centre(after, "x") - centre(before, "x")) * scale;
	const y = top + at("y", shown.top) * (1 - zoom) - (centre(after, "y") - centre(before, "y")) * scale;
	const size = [width * zoom, height * zoom];
	const held = (start, nth) => {
		const middle = Math.min(whole[nth] + whole[nth + 2], Math.max(whole[nth], start + size[nth] / 2));
		return middle - size[nth] / 2; // the middle of what is shown stays on the map
	};
	seenFrom = [held(x, 0), held(y, 1), ...size];
	look();
}

function ask(land) {
	const text = document.createElement("div");
	text.className = "there";
	const title = document.createElement("h1");
	title.textContent = land.dataset.name;
	text.append(title);
	for (const line of [...land.dataset.told.split(" · "), land.dataset.asks ?? ""].filter(Boolean)) {
		const told = document.createElement("p");
		told.textContent = line;
		text.append(told);
	}
	if (land.dataset.goes) {
		const go = document.createElement("button");
		go.name = "move";
		go.value = land.dataset.goes;
		go.textContent = by("map").dataset.go;
		text.append(go);
	}
	by("sheet-text").replaceChildren(text);
	by("sheet").setAttribute("aria-label", land.dataset.name);
	by("sheet").showModal();
}

function chosen(land) {
	if (land.dataset.goes && land.dataset.asks === undefined) act(land, JSON.parse(land.dataset.goes));
	else ask(land);
}

document.addEventListener("click", (event) => {
	if (event.target.closest("#map-whole")) {
		wide = !wide;
		seenFrom = null;
		look();
		return;
	}
	const land = event.target.closest("#map .land");
	if (land && !dragged) chosen(land);
});
document.addEventListener("keydown", (event) => {
	const land = event.target.closest?.("#map .land");
	if (event.key === "Escape" && wide && !by("sheet").open) {
		wide = false;
		seenFrom = null;
		look();
	} else if (land && (event.key === "Enter" || event.key === " ")) {
		event.preventDefault();
		chosen(land);
	}
});
document.addEventListener("pointerdown", (event) => {
	if (!event.target.closest("#map .drawn")) return;
	if (!fingers.size) dragged = false;
	fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
});
document.addEventListener("pointermove", (event) => {
	const before = fingers.get(event.pointerId);
	if (!before || (fingers.size < 2 && !wide)) return;
	const moved = Math.hypot(event.clientX - before.x, event.clientY - before.y);
	if (!dragged && moved < LEAST_DRAG) return;
	dragged = true;
	const was = [...fingers.values()];
	fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
	shift(was, [...fingers.values()]);
});
for (const kind of ["pointerup", "pointercancel"])
	document.addEventListener(kind, (event) => fingers.delete(event.pointerId));
document.addEventListener("told", look);
look();
