// The script of every page: it listens to the stream, shows what is new, tells it aloud, and sends what is tapped.
"use strict";
const body = document.body;
const late = document.currentScript.src.replace("table.js", "table/moments.js");
const by = (id) => document.getElementById(id);
let seen = Number(body.dataset.seq);
body.dataset.shown = seen;
let wanted = seen;
let loading = false;
let stale = false; // there is more to show than the number of the state says, such as who has a phone
let source = null;
let beaten = null; // the last moment that was heard of, perhaps before moments.js is there
let heard = Date.now();
let saidUntil = 0;
let patience = 0;

function say(text, rule) {
	by("said").textContent = text;
	if (rule)
		by("said").insertAdjacentHTML(
			"beforeend",
			` <a class="why" href="/rules/${rule}" data-rule>${body.dataset.why}</a>`,
		);
	by("said").hidden = false;
	saidUntil = setTimeout(
		() => {
			by("said").hidden = true;
		},
		8000,
		clearTimeout(saidUntil),
	);
}

// What is shown may be old: said plainly, with the time of the last news.
function away(is) {
	clearTimeout(patience);
	body.classList.toggle("away", is);
	by("behind").hidden = !is;
	if (is)
		by("since").textContent = new Date(heard).toLocaleTimeString(document.documentElement.lang, {
			hour: "2-digit",
			minute: "2-digit",
		});
	else heard = Date.now();
}

// Take over what differs, section by section; what is open, scrolled or focused stays so.
function replace(fresh) {
	const now = by("live");
	const focused = document.activeElement && document.activeElement.id;
	for (const one of now.querySelectorAll("details[id]")) {
		const same = fresh.querySelector(`#${one.id}`);
		const opens = same?.dataset.open > one.dataset.open; // there is more in it than before
		if (same && !opens) same.open = one.open;
	}
	for (const one of now.querySelectorAll("[type=radio]:checked")) {
		const same = one.id && fresh.querySelector(`#${one.id}`);
		if (same) same.checked = true;
	}
	swap(now, fresh);
	const again = focused && by(focused);
	if (focused && !again) by("main").focus({ preventScroll: true }); // what had the focus is gone
	else if (again && again !== document.activeElement) again.focus({ preventScroll: true });
}

function swap(now, fresh) {
	if (
		now.isEqualNode(fresh) ||
		(now.dataset.keep && now.dataset.keep === fresh.dataset.keep) ||
		(now.tagName === "DETAILS" &&
			now.contains(document.activeElement) &&
			now.querySelector("form :is(input:not([type=hidden]), select)"))
	)
		return;
	const ids = (node) => [...node.children].map((child) => child.id).join(" ");
	const whole = [...fresh.children].every((child) => child.id) && fresh.children.length > 0;
	if (whole && ids(now) === ids(fresh)) {
		Object.assign(now.dataset, fresh.dataset);
		if (now.tagName === "DETAILS") now.open = fresh.open;
		[...now.children].forEach((child, place) => swap(child, fresh.children[place]));
	} else {
		now.replaceWith(document.importNode(fresh, true));
	}
}

async function refresh() {
	if (loading) return;
	loading = true;
	try {
		while (seen < wanted || stale) {
			const aim = wanted;
			stale = false;
			const answer = await fetch(location.href, { cache: "no-store" });
			if (!answer.ok) break;
			const page = new DOMParser().parseFromString(await answer.text(), "text/html");
			const before = { ...by("live").dataset };
			replace(page.getElementById("live"));
			document.title = page.title;
			seen = Math.max(aim, Number(page.body.dataset.seq)); // a page is never older than its event
			tell(before, by("live").dataset);
			body.dataset.shown = seen;
		}
	} catch {
		away(true);
	} finally {
		loading = false;
	}
}

function again() {
	stale = true;
	refresh();
}

// For those who listen; a page of its own may add a nudge.
function tell(before, now) {
	const scene = document.querySelector("#moment > section:not([hidden])"); // it says so when it is over
	if (now.tell !== before.tell && !scene) by("heard").textContent = now.tell;
	document.dispatchEvent(new CustomEvent("told", { detail: { before, now } }));
}

function listen() {
	if (source) source.close();
	clearTimeout(patience);
	patience = setTimeout(away, 1000, true);
	source = new EventSource("/api/events?moments");
	source.addEventListener("state", (event) => {
		away(false);
		const seq = Number(event.lastEventId);
		if (seq < seen) stale = true;
		wanted = seq;
		refresh();
	});
	source.addEventListener("moment", (event) => {
		beaten = event;
		if (JSON.parse(beaten.data).renewed) again();
	});
	document.dispatchEvent(new Event("listening"));
	source.onopen = () => away(false);
	source.onerror = () => {
		away(true);
		if (source.readyState === EventSource.CLOSED) setTimeout(listen, 3000);
	};
}

function refused(error) {
	say(error.message, error.clause ?? `refused-${error.code}`);
}

async function send(move, version) {
	if (version) move.if_version = Number(version);
	const answer = await fetch("/api/moves", {
		method: "POST",
		headers: { "Content-Type": "application/json" },
		body: JSON.stringify(move),
	});
	const told = await answer.json();
	if (!answer.ok) refused(told.error);
	return answer.ok;
}

async function act(button, move) {
	if (button.getAttribute("aria-disabled")) return;
	button.setAttribute("aria-disabled", "true"); // not `disabled`: the focus stays where it is
	try {
		await send(move, button.dataset.version);
	} catch {
		say(body.dataset.lost);
		away(true);
	} finally {
		button.removeAttribute("aria-disabled");
	}
}

document.addEventListener("click", (event) => {
	const button = event.target.closest("[data-move], [name=move]");
	if (!button) return;
	event.preventDefault();
	button.closest("#sheet")?.close();
	act(button, JSON.parse(button.dataset.move ?? button.value));
});

// What an icon or a card does, over the page; without the script the same link is a page of its own.
async function explain(path, isToDo) {
	try {
		const answer = await fetch(path);
		if (!answer.ok) return;
		const page = new DOMParser().parseFromString(await answer.text(), "text/html");
		if (isToDo && !page.querySelector(".slip li")) return by("sheet").close(); // all of it is done
		by("sheet-text").replaceChildren(...document.importNode(page.getElementById("main"), true).childNodes);
		by("sheet").setAttribute("aria-label", page.title);
		if (!by("sheet").open) by("sheet").showModal();
	} catch {
		away(true);
	}
}

// The slip of what hands owe follows the table while it is open: what is done stays for a moment, struck out.
document.addEventListener("told", async () => {
	const slip = by("sheet").open && by("sheet-text").querySelector(".slip");
	if (!slip) return;
	const answer = await fetch("/hands").catch(() => null);
	const left = answer ? await answer.text() : "";
	for (const line of slip.querySelectorAll("li")) {
		const seen = !left.includes(`data-places="${line.dataset.places}"`);
		line.classList.toggle("seen", seen);
		for (const tick of line.querySelectorAll("button")) tick.disabled = seen;
	}
	setTimeout(() => slip.isConnected && explain("/hands", Boolean(slip.querySelector("li"))), 800);
});

document.addEventListener("click", (event) => {
	const card = event.target.closest("[data-rule]");
	const icon = !event.target.closest("button, a, dialog") && event.target.closest(".icon, [data-i]");
	if (!card && !icon) return;
	event.preventDefault();
	const named = icon && (icon.dataset.i ?? icon.querySelector("use").getAttribute("href").slice(1));
	const path = card ? card.dataset.rule || card.getAttribute("href") : `/rules/${named}`;
	explain(path, card?.id === "hands");
});
document.addEventListener("submit", async (event) => {
	if (!event.target.matches("[data-quiet]")) return;
	event.preventDefault();
	const sent = new URLSearchParams(new FormData(event.target, event.submitter));
	await fetch(event.target.action, { method: "POST", body: sent, redirect: "manual" });
	again();
});
if (body.dataset.live === "yes") {
	// A browser has six connections: pages that nobody looks at leave theirs after a while; a seat's may still call.
	let leaving = 0;
	document.addEventListener("visibilitychange", () => {
		clearTimeout(leaving);
		if (!document.hidden) listen();
		else if (!location.pathname.startsWith("/seat/")) leaving = setTimeout(() => source.close(), 30000);
	});
	addEventListener("pageshow", (event) => {
		if (event.persisted) listen();
	});
	addEventListener("offline", () => away(true));
	addEventListener("online", listen);
	// A stream can die without a word; the state itself is asked when all has been quiet for long.
	setInterval(() => {
		if (document.hidden || Date.now() - heard < 20000) return;
		fetch("/api/state", { headers: { "If-None-Match": `"${seen}"` } }).then(
			(answer) => (answer.status === 304 ? away(false) : listen()),
			() => away(true),
		);
	}, 5000);
	listen();
	if (by("moment")) addEventListener("load", () => import(late));
}
