// A seat of Fallout Shelter: a tap on a space opens its sheet over the vault; the dweller is placed from there.
"use strict";
const sheet = by("place");
const FROM_TOP = 200;
const LEAST = 20;
const PULL = 90;
let asked = null; // what the open sheet was asked for
let early = null; // what a finger is about to ask for
let anchor = null; // the space that was tapped last, and where it stands: it stays there while the page changes around it

const chosen = () => document.querySelector("[name=goer]:checked")?.value ?? "";

function addressed(link) {
	const url = new URL(link.href);
	if (chosen() && !url.searchParams.has("way")) url.searchParams.set("who", chosen());
	return url.href;
}

async function fetched(url) {
	const answer = await fetch(url);
	if (!answer.ok) return null;
	const page = new DOMParser().parseFromString(await answer.text(), "text/html");
	return document.importNode(page.getElementById("act"), true);
}

// The sheet's style is fetched with the first one.
const styled = (link) => link.sheet || new Promise((done) => (link.onload = link.onerror = done));

const topOf = (id) => by(id)?.getBoundingClientRect().top;

function lift(id) {
	document.querySelector(".sp.lifted")?.classList.remove("lifted");
	by(id)?.classList.add("lifted");
}

// The space stays in sight, above the sheet.
function uncover(space) {
	const { top, height } = space.getBoundingClientRect();
	const wanted = Math.max(LEAST, Math.min(FROM_TOP, innerHeight - sheet.offsetHeight - height - LEAST));
	if (top < LEAST || top > wanted) scrollBy({ top: top - wanted });
}

async function show(url, space) {
	const text = early?.url === url ? early.text : fetched(url);
	early = null;
	asked = { url, space };
	try {
		const act = await text;
		if (!act || asked?.url !== url) return;
		const focused = sheet.open && document.activeElement?.id;
		sheet.replaceChildren(act);
		await styled(act.querySelector("link"));
		if (asked?.url !== url) return;
		if (!sheet.open) {
			sheet.showModal();
			lift(space);
			uncover(by(space));
		}
		(by(focused || "go") ?? by("act-shut")).focus({ preventScroll: true });
		reckon();
	} catch {
		say(document.body.dataset.lost);
		away(true);
	}
}

// What is ticked counts at once; the page has brought the chances, by what is added to the roll.
function reckon() {
	const told = by("chance");
	if (!told) return;
	const ticked = [...sheet.querySelectorAll("[data-bonus]:checked")];
	const bonus = ticked.reduce((sum, one) => sum + Number(one.dataset.bonus), 0);
	const now = told.dataset.chances.split(" ")[bonus];
	told.textContent = told.textContent.replace(/\d+/, now);
	by("chance-more").setAttribute("width", now);
}

function leave() {
	asked = null; // what is still on its way for it comes too late
	sheet.close();
}

async function placed(button) {
	if (button.getAttribute("aria-disabled")) return;
	button.setAttribute("aria-disabled", "true");
	const ticked = [...sheet.querySelectorAll("[name=then]:checked")].map((one) => one.value);
	const before = asked;
	anchor = { space: before.space, top: topOf(before.space) };
	asked = null; // the table changes by this very move: nothing new is asked for meanwhile
	try {
		for (const move of [button.value, ...ticked]) if (!(await send(JSON.parse(move)))) break;
		leave();
	} catch {
		asked = before;
		say(document.body.dataset.lost);
		away(true);
	} finally {
		button.removeAttribute("aria-disabled");
	}
}

for (const kind of ["wheel", "touchmove", "keydown"])
	addEventListener(
		kind,
		() => {
			anchor = null;
		},
		{ passive: true },
	);
document.addEventListener("pointerdown", (event) => {
	const link = event.target.closest(".sp");
	if (!link) return;
	early = { url: addressed(link), text: fetched(addressed(link)) };
	early.text.catch(() => {}); // said when the finger is lifted
});
document.addEventListener("click", (event) => {
	const link = event.target.closest(".sp");
	if (!link || event.ctrlKey || event.metaKey) return;
	event.preventDefault();
	show(addressed(link), link.id);
});
sheet.addEventListener("change", reckon);
sheet.addEventListener("click", (event) => {
	const way = event.target.closest("[data-way]");
	const go = event.target.closest(".go");
	if (way) show(way.href, asked.space);
	else if (go) placed(go);
	else if (event.target === sheet || event.target.closest(".shut")) leave();
	else return;
	event.preventDefault();
	event.stopPropagation();
});
let pulled = 0;
sheet.addEventListener("touchstart", (event) => {
	pulled = sheet.scrollTop > 0 ? Infinity : event.touches[0].clientY;
});
sheet.addEventListener("touchend", (event) => {
	if (event.changedTouches[0].clientY - pulled > PULL) leave();
});
sheet.addEventListener("cancel", () => {
	asked = null;
});
sheet.addEventListener("close", () => {
	const space = document.querySelector(".sp.lifted") ?? by(anchor?.space);
	lift(null);
	sheet.replaceChildren();
	space?.focus({ preventScroll: true });
});
addEventListener("load", () => import(late.replace("table/moments", "shelter/gains")));
// The vault has changed below an open sheet: it says what is true now.
document.addEventListener("told", () => {
	const scene = document.querySelector("#moment > :not([hidden])");
	if (scene && !/^(over|told)-/.test(scene.dataset.key)) anchor = null; // the page goes up to what happened, and back
	if (anchor && by(anchor.space)) scrollBy({ top: topOf(anchor.space) - anchor.top, behavior: "instant" });
	if (!asked || !sheet.open) return;
	const { url, space } = asked;
	if (!by(space)) leave();
	else {
		lift(space);
		show(url, space);
	}
});
