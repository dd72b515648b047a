// What all pages show at the same moment: the stream names scene and step, and this turns the page to it.
const place = () => by("moment").firstElementChild;
for (const name of ["curve.css", "table/moments.css"]) {
	const style = document.createElement("link");
	style.rel = "stylesheet";
	style.href = import.meta.url.replace("table/moments.js", name);
	body.append(style);
}
let shown = "";
let folded = "";
let told = "";
let height = 0;
let past = 0;
let inside = false;
let awaited = null; // the scene that the stream has named while the page was being loaded
const known = new WeakSet();

// Whatever belongs to one step, here and in the vault of the big screen.
function turn(step) {
	for (const one of document.querySelectorAll("[data-at]")) one.hidden = Number(one.dataset.at) !== step;
	for (const one of document.querySelectorAll("[data-from]"))
		one.toggleAttribute("hidden", Number(one.dataset.from) > step);
	for (const one of document.querySelectorAll("[data-lit]"))
		one.classList.toggle("lit", Number(one.dataset.lit) === step);
	for (const one of document.querySelectorAll("[data-tab]")) {
		one.classList.toggle("done", Number(one.dataset.tab) < step);
		one.classList.toggle("now", Number(one.dataset.tab) === step);
	}
}

// What has just happened is heard before whose turn comes after; that follows when the scene is over.
function hear(scene, step) {
	const text = JSON.parse(scene.dataset.says)[step] ?? "";
	const asked = by("live").dataset.call ? by("live").dataset.tell : "";
	if (`${scene.dataset.key} ${step} ${text}` === told) return;
	told = `${scene.dataset.key} ${step} ${text}`;
	by("heard").textContent = `${text} ${asked}`;
	document.dispatchEvent(new CustomEvent("moment", { detail: text }));
}

// Nobody's page moves under their thumb: it goes up to the scene, and afterwards back to where it was.
function rise() {
	const busy = document.querySelector("dialog[open]") || document.activeElement?.matches("input, select, textarea");
	if (!busy && !body.classList.contains("screen")) scrollTo({ top: 0 });
}

function settle() {
	const wanted = past > 0 ? past : height;
	past = 0;
	if (wanted > 0) scrollTo({ top: wanted + by("main").offsetTop });
}

// How far down in the page it is, without a scene and past one.
function note() {
	const scene = place();
	const down = scrollY - by("main").offsetTop;
	if (!scene || scene.hidden) height = down;
	else past = down;
}

function fold() {
	const scene = place();
	if (!scene) return;
	const focused = scene.contains(document.activeElement);
	folded = scene.dataset.key;
	scene.hidden = true;
	settle();
	inside = false;
	if (focused) by("main").focus({ preventScroll: true });
}

// After every change of the page, and with every beat of the stream.
function show() {
	const scene = place();
	if (!scene) {
		if (shown) settle();
		if (told) by("heard").textContent = by("live").dataset.tell;
		shown = told = "";
		return;
	}
	const key = scene.dataset.key;
	scene.hidden = key === folded;
	for (const one of scene.querySelectorAll("[data-fold]")) one.hidden = false;
	if (key !== shown && !scene.hidden && !/^(over|told)-/.test(key)) rise();
	if (!known.has(scene) && key === shown) scene.classList.add("still"); // the same, drawn anew: its dice have fallen
	if (!known.has(scene) && inside && document.activeElement === by("main")) scene.focus({ preventScroll: true });
	known.add(scene);
	shown = key;
	hear(scene, Number(scene.dataset.step));
}

const lacks = (key) => (place()?.dataset.key ?? "") !== key && place()?.dataset.own === undefined;

function beat(event) {
	const { key, step } = JSON.parse(event.data);
	const scene = place();
	if (lacks(key)) {
		if (!loading) return again();
		awaited = key; // what is being loaded may have it
		return;
	}
	if (!scene || scene.dataset.key !== key) return;
	scene.dataset.step = step;
	scene.classList.remove("still");
	turn(step);
	show();
}

document.addEventListener("listening", () => source.addEventListener("moment", beat));
source?.addEventListener("moment", beat);
document.addEventListener("told", ({ detail: { before, now } }) => {
	if (before.game !== now.game) location.reload(); // another game may have a style and scripts of its own
	else show();
	const key = awaited;
	awaited = null;
	if (key !== null && lacks(key)) again();
});
document.addEventListener("click", (event) => {
	if (event.target.closest("[data-fold]")) fold();
});
// Who has the focus in a scene keeps it there when the scene goes on.
document.addEventListener("focusin", ({ target }) => {
	if (target !== by("main")) inside = place()?.contains(target) ?? false;
});
addEventListener("scroll", note, { passive: true });
note();
show();
if (beaten) beat(beaten);
