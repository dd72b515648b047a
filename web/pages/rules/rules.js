// The search of the rules: what is typed is looked for at once, as the server does it for whoever has no script.
"use strict";
const field = document.querySelector("#search input[type=search]");
const folded = (text) =>
	text.toLowerCase().normalize("NFKD").replace(/ł/g, "l").replace(/ß/g, "ss").replace(/\p{M}/gu, "");
const known = [...document.querySelectorAll(".entries details")].map((one) => [
	one,
	folded(one.textContent),
	folded(one.firstElementChild.textContent),
]);
const besides = document.getElementById("besides");

function seek() {
	const sought = folded(field.value.trim());
	const words = sought.split(/\s+/).filter(Boolean);
	const rank = ([, , title]) => (title.startsWith(sought) ? 0 : title.includes(sought) ? 1 : 2);
	let left = 0;
	for (const [one, text] of [...known].sort((a, b) => rank(a) - rank(b))) {
		one.parentNode.append(one);
		one.hidden = !words.every((word) => text.includes(word));
		one.open = !one.hidden && words.length > 0;
		left += !one.hidden;
	}
	if (besides) besides.hidden = words.length > 0;
	document.getElementById("nothing").hidden = left > 0;
	for (const one of document.querySelectorAll(".entries")) one.hidden = !one.querySelector("details:not([hidden])");
}

// With the answer to a search on the page, only that is there to look through: the next one goes to the server.
if (!field.value) {
	field.addEventListener("input", seek);
	field.form.addEventListener("submit", (event) => {
		event.preventDefault();
		field.blur();
	});
}
