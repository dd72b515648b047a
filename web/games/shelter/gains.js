// What an act has brought flies from where one tapped to the tracks: small and short, and not at all where less motion is
// asked for.
const LONGEST = 6000;
const MOST = 4;
const HALF = 12; // of a glyph, in pixels
const still = matchMedia("(prefers-reduced-motion: reduce)");
const counts = (one) => one.querySelector("use") && one.querySelector("b"); // another game may have begun on this page
const tracks = () => [...document.querySelectorAll("#resources .res, #whose > span")].filter(counts);
const nameOf = (track) => track.querySelector("use").getAttribute("href");
const amounts = () => new Map(tracks().map((one) => [nameOf(one), Number(one.querySelector("b").textContent)]));
let had = amounts();
let tapped = null;

const middle = (one) => {
	const { left, top, width, height } = one.getBoundingClientRect();
	return [left + width / 2, Math.max(top + height / 2, 0)];
};

document.addEventListener(
	"click",
	({ target }) => {
		const button = target.closest("[data-move], [name=move], #place .go");
		if (button) tapped = { at: Date.now(), space: document.querySelector(".sp.lifted")?.id, from: middle(button) };
	},
	true,
);

function fly(track, number, [x, y]) {
	const glyph = track.querySelector("svg");
	const [toX, toY] = middle(glyph);
	for (let nth = 0; nth < Math.min(number, MOST); nth += 1) {
		const flying = body.appendChild(glyph.cloneNode(true));
		flying.classList.add("flies");
		Object.assign(flying.style, {
			position: "fixed",
			zIndex: 9,
			left: `${x - HALF}px`,
			top: `${y - HALF}px`,
			width: `${2 * HALF}px`,
			height: `${2 * HALF}px`,
			color: "var(--focus)",
			pointerEvents: "none",
		});
		const way = `translate(${toX - x}px, ${toY - y}px)`;
		const timing = { duration: 550, delay: 90 * nth, easing: "cubic-bezier(.3, 0, .4, 1)", fill: "backwards" };
		const flight = flying.animate(
			[{ transform: "scale(.4)" }, { transform: "scale(1.5)", offset: 0.25 }, { transform: way }],
			timing,
		);
		flight.onfinish = flight.oncancel = () => flying.remove();
	}
}

document.addEventListener("told", () => {
	const before = had;
	had = amounts();
	if (!tapped || still.matches || Date.now() - tapped.at > LONGEST) return;
	const space = tapped.space && by(tapped.space);
	const gained = tracks().filter((one) => had.get(nameOf(one)) > before.get(nameOf(one)));
	for (const one of gained)
		fly(one, had.get(nameOf(one)) - before.get(nameOf(one)), space ? middle(space) : tapped.from);
	if (gained.length > 0) tapped = null;
});
