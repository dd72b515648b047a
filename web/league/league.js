// The page of a league listens, and takes over the parts that have changed.
"use strict";
const tables = document.getElementById("tables");
const behind = document.getElementById("behind");
let seen = document.body.dataset.seq;
let source = null;

function made(html) {
	const holder = document.createElement("template");
	holder.innerHTML = html;
	return holder.content.firstElementChild;
}

function take(told) {
	for (const [id, html] of Object.entries(told.parts)) {
		const now = document.getElementById(id);
		const fresh = made(html);
		const open = now && now.querySelector("details[open]");
		if (open && fresh.querySelector("details")) fresh.querySelector("details").open = true;
		if (now) now.replaceWith(fresh);
		else tables.append(fresh);
	}
	if (told.order) arrange(told.order);
}

function arrange(order) {
	const wanted = new Set(order);
	for (const one of [...tables.children]) if (!wanted.has(one.id)) one.remove();
	order.forEach((id, place) => {
		const one = document.getElementById(id);
		if (one && tables.children[place] !== one) tables.insertBefore(one, tables.children[place] || null);
	});
}

function listen() {
	if (source) source.close();
	source = new EventSource("/api/events?seen=" + seen);
	source.addEventListener("league", (event) => {
		behind.hidden = true;
		take(JSON.parse(event.data));
		seen = event.lastEventId;
		document.body.dataset.shown = seen;
	});
	source.onopen = () => {
		behind.hidden = true;
	};
	source.onerror = () => {
		behind.hidden = false;
		if (source.readyState === EventSource.CLOSED) setTimeout(listen, 3000);
	};
}

document.addEventListener("visibilitychange", () => {
	if (!document.hidden) listen();
});
listen();
