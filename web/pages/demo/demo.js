// The demo's table: what lies there is drawn from above; what a mouse, a thumb or a key does is told to the hands.
"use strict";
(() => {
	const felt = document.getElementById("felt");
	const top = document.getElementById("top");
	const fixed = JSON.parse(felt.dataset.fixed);
	const [wide, high] = fixed.mat;
	const NS = "http://www.w3.org/2000/svg";
	const FRONT = 62; // of the table before the mat, where dwellers wait
	const BACK = 80; // and of it behind the mat, where the tracks lie
	const WOOD = 30; // and of it at both sides
	const ROWS = 5;
	const ROW = 67; // from a level to the next
	const CLICK = 6; // pixels that a tap may wander
	const PICKED = 1.3; // how much larger dwellers are drawn who wait
	let shown = null;
	let held = null;
	let picked = null;
	let chosen = null; // a card of a tray that was tapped: the next tap on the table lays it there
	let goal = null; // where that one is wanted
	let rows = 0; // so many levels are drawn: those of the game, and whatever lies lower

	// Levels that nobody has are left out of the picture: what is below them moves up by so much.
	const folded = () => (ROWS - rows) * ROW;
	const lowest = () => (ROWS / 2 - rows) * ROW - 3;
	const drawnY = (y) => (y >= lowest() ? -y : -y - folded());
	const trueY = (y) => (-y >= lowest() ? -y : -y - folded());
	const lit = () => document.getElementById("lit")?.dataset;
	const open = () => JSON.parse(lit()?.spaces ?? "{}");

	let before = Promise.resolve(); // one after the other: a button is pressed before it is let go
	function tell(deed) {
		before = before.then(() => send(deed)).catch(() => say(document.body.dataset.lost));
	}

	async function send(deed) {
		const answer = await fetch("/demo/hands", {
			method: "POST",
			headers: { "Content-Type": "application/json" },
			body: JSON.stringify(deed),
		});
		if (!answer.ok) refused((await answer.json()).error);
	}

	function make(name, attributes, parent) {
		const made = document.createElementNS(NS, name);
		for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
		if (parent) parent.append(made);
		return made;
	}

	// --- drawing: groups are kept by their key, so that what is dragged or focused stays itself ---

	const layers = {};
	for (const name of ["ground", "cards", "spots", "figures", "dice", "over"]) layers[name] = make("g", {}, top);
	const scene = make("defs", {});
	top.prepend(scene);
	const wood = make("pattern", { id: "wood", width: 360, height: 96, patternUnits: "userSpaceOnUse" }, scene);
	make("rect", { class: "plank", width: 360, height: 96 }, wood);
	make("rect", { class: "plank other", y: 48, width: 360, height: 48 }, wood);
	make("path", { class: "gap", d: "M0 0h360M0 48h360M120 0v48M290 48v48" }, wood);
	const grain = [6, 13, 22, 31, 40, 55, 63, 74, 83, 91];
	make("path", { class: "grain", d: grain.map((y, n) => `M0 ${y}q90 ${(n % 3) - 2} 180 0t180 0`).join("") }, wood);
	for (const name of Object.keys(fixed.spaces))
		make("circle", { class: "spot", r: 11, "data-space": name, role: "button" }, layers.spots);

	function box(cls, x, y, w, h, rx) {
		return make("rect", { class: cls, x, y, width: w, height: h, rx }, layers.ground);
	}

	// Wood, the mat in the product's own colours with the places of its cards, its stickers, tracks and the dice corner.
	function ground() {
		const low = high / 2 - folded();
		const [left, back] = [-wide / 2 - WOOD, -high / 2 - BACK];
		top.setAttribute("viewBox", `${left} ${back} ${wide + 2 * WOOD} ${low + FRONT - back}`);
		layers.ground.replaceChildren();
		box("wood", left, back, wide + 2 * WOOD, low + FRONT - back, 0);
		box("shade", -wide / 2 + 2, -high / 2 + 4, wide + 2, low + high / 2 + 2, 4);
		box("mat", -wide / 2, -high / 2, wide, low + high / 2, 4);
		for (const [x, y, w, h] of Object.values(fixed.tracks)) {
			box("shade", x - w / 2 + 2, -y - h / 2 + 2, w, h, 3);
			box("mat strip", x - w / 2, -y - h / 2, w, h, 3);
		}
		for (let row = 0; row < rows; row++) {
			const y = (row - 2) * ROW;
			for (let column = -3; column <= 3; column++) box("place", column * 92 - 44, y - 31.5, 88, 63, 3);
			make("text", { class: "level", x: -wide / 2 + 20, y: y + 5 }, layers.ground).textContent = row + 1;
		}
		const [x, y, w, h] = fixed.corner;
		box("place corner", x - w / 2, drawnY(y) - h / 2, w, h, 4);
		for (const [at, up] of fixed.tags) {
			const crop = { x: at - 18, y: drawnY(up) - 18, width: 36, height: 36, viewBox: `${at - 18} ${-up - 18} 36 36` };
			const part = make("svg", crop, layers.ground);
			make("image", { href: "/demo/pieces/mat.png", x: -wide / 2, y: -high / 2, width: wide, height: high }, part);
		}
	}

	function unfold() {
		const things = [...shown.cards, ...shown.figures, ...shown.dice.filter((die) => die.at[1] > -168)];
		const rowsOf = things.filter((one) => one.at[1] > -high / 2).map((one) => Math.round(3 - one.at[1] / ROW));
		const needed = Math.min(ROWS, Math.max(2, ...rowsOf));
		if (needed === rows) return;
		rows = needed;
		ground();
		for (const one of layers.spots.children) {
			const [x, y] = fixed.spaces[one.dataset.space];
			one.setAttribute("cx", x);
			one.setAttribute("cy", drawnY(y));
			one.classList.toggle("folded", Number(one.dataset.space[0]) > rows);
		}
		edges();
	}

	function keyed(layer, key, build) {
		let found = layers[layer].querySelector(`[data-key="${key}"]`);
		if (!found) {
			found = build();
			found.dataset.key = key;
			layers[layer].append(found);
		}
		found.dataset.fresh = shown.version;
		return found;
	}

	function card(one) {
		const [w, h] = one.size;
		const found = keyed("cards", one.file, () => {
			const group = make("g", { class: `card ${one.kind}`, "data-file": one.file });
			make("rect", { class: "shade", x: 1.5 - w / 2, y: 2 - h / 2, width: w, height: h, rx: 3 }, group);
			make("image", { href: `/demo/pieces/${one.file}`, x: -w / 2, y: -h / 2, width: w, height: h }, group);
			return group;
		});
		place(found, one.at[0], one.at[1], one.turn);
		found.classList.toggle("loose", one.kind === "room" && one.at[1] > high / 2);
		if (one.kind === "threat") layers.cards.append(found);
	}

	function figure(one, number) {
		const found = keyed("figures", one.key, () => {
			const group = make("g", {
				class: `figure player-${one.player}`,
				tabindex: 0,
				role: "button",
				"data-figure": one.key,
			});
			make("ellipse", { class: "reach", rx: 9.5, ry: 17, cy: -7 }, group);
			make("ellipse", { class: "shade", cx: 5, cy: 3, rx: 11, ry: 4.5 }, group);
			const pawn = make("g", { class: "pawn" }, group);
			make("path", { class: "body", d: "M-8.5 2.5Q-8 -5 -3.6 -13L3.6 -13Q8 -5 8.5 2.5Q0 7 -8.5 2.5z" }, pawn);
			make("circle", { class: "head", r: 5.4, cy: -16 }, pawn);
			make("circle", { class: "shine", r: 1.8, cx: -1.8, cy: -18 }, pawn);
			make("use", { class: "mark", href: `#b-${one.player}`, x: -3.5, y: -6, width: 7, height: 7 }, pawn);
			return group;
		});
		found.setAttribute("aria-label", `${felt.dataset.dweller} ${one.player} ${number}`);
		found.setAttribute("aria-pressed", picked === one.key);
		found.querySelector(".pawn").setAttribute("transform", one.lying ? "rotate(90) translate(0 7)" : "");
		found.classList.toggle("picked", picked === one.key);
		found.classList.toggle("mine", lit()?.player === one.player && one.at[1] < -high / 2);
		const large = one.at[1] < -high / 2 ? PICKED : 1;
		if (!held || held.key !== one.key) place(found, one.at[0], one.at[1], one.lying ? one.turn : 0, large);
	}

	// Pips stand in a grid of three by three; each is there from one value to the next that is odd or even as well.
	const PIPS = [
		[-1, -1, 2],
		[1, 1, 2],
		[1, -1, 4],
		[-1, 1, 4],
		[-1, 0, 6],
		[1, 0, 6],
		[0, 0, 1],
	];
	function die(one) {
		const found = keyed("dice", one.key, () => {
			const group = make("g", { class: "die", tabindex: 0, role: "button", "data-die": one.key });
			make("circle", { class: "reach", r: 14 }, group);
			make("rect", { class: "body", x: -8, y: -8, width: 16, height: 16, rx: 2.5 }, group);
			for (const [x, y] of PIPS) make("circle", { class: "pip", cx: 4.4 * x, cy: 4.4 * y, r: 1.6 }, group);
			return group;
		});
		found.setAttribute("aria-label", `${felt.dataset.die} ${one.value}`);
		const shows = (least) => (least === 1 ? one.value % 2 === 1 : one.value >= least);
		found
			.querySelectorAll(".pip")
			.forEach((pip, at) => pip.setAttribute("visibility", shows(PIPS[at][2]) ? "visible" : "hidden"));
		found.classList.toggle("leans", one.leans);
		if (!held || held.die !== one.key) place(found, one.at[0], one.at[1], one.turn);
	}

	function bare(x, y) {
		return !shown.cards.some(({ at, size: [w, h] }) => Math.abs(at[0] - x) < w / 2 && Math.abs(at[1] - y) < h / 2);
	}

	function place(node, x, y, turn, scale = 1) {
		const larger = scale === 1 ? "" : ` scale(${scale})`;
		node.setAttribute("transform", `translate(${x} ${drawnY(y)}) rotate(${-turn})${larger}`);
	}

	function draw() {
		unfold();
		shown.cards.forEach(card);
		shown.figures.forEach((one, number) => figure(one, number + 1));
		shown.dice.forEach(die);
		for (const layer of ["cards", "figures", "dice"]) {
			for (const node of [...layers[layer].children]) if (node.dataset.fresh !== String(shown.version)) node.remove();
		}
		layers.over.replaceChildren();
		if (!shown.lamp)
			make("rect", { class: "dark", x: -wide, y: -high, width: 2 * wide, height: 2 * high }, layers.over);
		if (shown.hand)
			make(
				"path",
				{
					class: "hand",
					d: "M-9 0 q0 -14 9 -14 q9 0 9 14 l14 20 l0 260 l-46 0 l0 -260z",
					transform: `translate(${shown.hand[0]} ${drawnY(shown.hand[1])})`,
				},
				layers.over,
			);
		const threat = fixed.threats.includes(chosen);
		felt.classList.toggle("picking", picked !== null || (threat && !goal));
		felt.classList.toggle("laying", chosen !== null);
		if (goal) make("circle", { class: "goal", cx: goal[0], cy: drawnY(goal[1]), r: threat ? 14 : 28 }, layers.over);
		const spaces = open();
		for (const space of layers.spots.children) {
			const name = space.dataset.space;
			space.classList.toggle("bare", bare(...fixed.spaces[name]));
			space.classList.toggle("lit", name in spaces);
			space.setAttribute("aria-label", spaces[name] ?? name);
			if (picked !== null && name in spaces) space.setAttribute("tabindex", 0);
			else space.removeAttribute("tabindex");
		}
		way();
		document.getElementById("tip").disabled = picked === null;
		const states = { cover: shown.covered, hand: shown.hand !== null, lamp: shown.lamp, help: shown.helping };
		for (const button of document.querySelectorAll("[data-switch]"))
			button.setAttribute("aria-pressed", states[button.dataset.switch]);
		for (const lamp of document.querySelectorAll("[data-lamp]"))
			lamp.className = `g${Math.round(4 * (shown.panel[lamp.dataset.lamp] ?? 0))}`;
		document.body.dataset.table = shown.version;
	}

	// From a dweller who waits to the first circle: until somebody has gone it.
	function way() {
		const [to, player] = [fixed.spaces[lit()?.way], lit()?.player];
		const from = shown.figures.find((one) => one.player === player && one.at[1] < -high / 2);
		if (!to || !from || held) return;
		const [x, y, end] = [from.at[0], drawnY(from.at[1]) - 26, drawnY(to[1]) + 12];
		const bend = `M${x} ${y}Q${(x + to[0]) / 2 + 30} ${(y + end) / 2} ${to[0]} ${end}`;
		make("path", { class: "way", d: bend }, layers.over);
	}

	async function watch() {
		for (;;) {
			try {
				const answer = await fetch(shown ? `/demo/table?after=${shown.version}` : "/demo/table");
				shown = await answer.json();
				draw();
			} catch {
				await new Promise((after) => setTimeout(after, 1000));
			}
			if (document.hidden)
				await new Promise((seen) => document.addEventListener("visibilitychange", seen, { once: true }));
		}
	}

	// --- hands ---

	function spot(event) {
		const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(top.getScreenCTM().inverse());
		return [at.x, trueY(at.y)];
	}

	function pick(key) {
		picked = picked === key ? null : key;
		draw();
	}

	function send_to(space) {
		const [x, y] = fixed.spaces[space];
		tell({ do: "move", figure: picked, x, y });
		pick(picked);
	}

	// A thumb finds no way from the box to a table that is off the screen: the card is tapped, and the table comes to it.
	const hand = document.getElementById("in-hand");
	function choose(card, at) {
		chosen = card === chosen ? null : card;
		goal = chosen && at ? at.split(" ").map(Number) : null;
		picked = null;
		hand.hidden = chosen === null;
		if (chosen) {
			hand.querySelector("img").src = `/demo/pieces/${chosen}.png`;
			felt.scrollIntoView({ block: "nearest" });
			if (goal) felt.scrollLeft = (goal[0] / (wide + 2 * WOOD) + 0.5) * top.clientWidth - felt.clientWidth / 2;
		}
		draw();
	}
	hand.addEventListener("click", () => choose(null));

	const graspable = (event) => event.target.closest(".figure, .die, .card.threat, .card.item, .card.loose");
	// Browsers take no touch-action from what is drawn within an SVG: without this a thumb that drags a dweller scrolls the page.
	top.addEventListener(
		"touchstart",
		(event) => {
			if (!chosen && graspable(event)) event.preventDefault();
		},
		{ passive: false },
	);
	top.addEventListener("pointerdown", (event) => {
		const grabbed = graspable(event);
		if (!grabbed || chosen) return;
		const [x, y] = spot(event);
		held = {
			node: grabbed,
			key: grabbed.dataset.figure,
			die: grabbed.dataset.die,
			file: grabbed.dataset.file,
			from: [event.clientX, event.clientY],
			moved: false,
			x,
			y,
		};
		top.setPointerCapture(event.pointerId);
		event.preventDefault();
	});
	top.addEventListener("pointermove", (event) => {
		if (!held) return;
		held.moved ||= Math.hypot(event.clientX - held.from[0], event.clientY - held.from[1]) > CLICK;
		if (!held.moved) return;
		[held.x, held.y] = spot(event);
		held.node.parentNode.append(held.node);
		place(held.node, held.x, held.y, 0);
		const edge = felt.getBoundingClientRect();
		if (event.clientX > edge.right - 30) felt.scrollLeft += 12;
		if (event.clientX < edge.left + 30) felt.scrollLeft -= 12;
	});
	top.addEventListener("pointerup", () => {
		if (!held) return;
		const { key, die: thrown, file, moved, x, y } = held;
		held = null;
		if (thrown) return tell(moved ? { do: "shove", die: thrown, x, y } : { do: "throw" });
		if (!moved && key) pick(key);
		else if (moved && key) tell({ do: "move", figure: key, x, y });
		else if (moved) tell({ do: "carry", file, x, y });
	});
	top.addEventListener("pointercancel", () => {
		held = null;
		draw();
	});
	top.addEventListener("click", (event) => {
		if (chosen) {
			const [x, y] = spot(event);
			tell({ do: "lay", card: chosen, x, y });
			return choose(null);
		}
		const space = event.target.closest(".spot");
		if (!space || picked === null) return;
		send_to(space.dataset.space);
	});
	top.addEventListener("keydown", (event) => {
		const space = event.target.dataset && event.target.dataset.space;
		if (!space || picked === null || (event.key !== "Enter" && event.key !== " ")) return;
		event.preventDefault();
		const figure = layers.figures.querySelector(`[data-figure="${picked}"]`);
		send_to(space);
		figure.focus({ preventScroll: true });
	});
	top.addEventListener("keydown", (event) => {
		const chosen = event.target.dataset && event.target.dataset.die;
		if (!chosen) return;
		if (event.key === "Enter" || event.key === " ") tell({ do: "throw" });
		else if (event.key === "t") tell({ do: "cock", die: chosen });
		else return;
		event.preventDefault();
	});
	top.addEventListener("keydown", (event) => {
		const key = event.target.dataset && event.target.dataset.figure;
		if (!key) return;
		const one = shown.figures.find((figure) => figure.key === key);
		const step = { ArrowLeft: [-10, 0], ArrowRight: [10, 0], ArrowUp: [0, 10], ArrowDown: [0, -10] }[event.key];
		if (step)
			tell({
				do: "move",
				figure: key,
				x: one.at[0] + step[0] * (event.shiftKey ? 4 : 1),
				y: one.at[1] + step[1] * (event.shiftKey ? 4 : 1),
			});
		else if (event.key === "Enter" || event.key === " ") {
			pick(key);
			if (picked) (top.querySelector(`[data-space="${lit()?.way}"]`) ?? top.querySelector(".spot.lit"))?.focus();
		} else if (event.key === "t") tell({ do: "tip", figure: key });
		else return;
		event.preventDefault();
	});
	top.addEventListener("dblclick", (event) => {
		const one = event.target.closest(".figure");
		if (one) tell({ do: "tip", figure: one.dataset.figure });
	});

	// A card out of the box: it follows the finger, and lies where it is let go.
	document.addEventListener("pointerdown", (event) => {
		const tray = event.target.closest(".tray [data-card]");
		if (!tray || event.button) return;
		const image = tray.querySelector("img").cloneNode();
		image.className = "carried";
		const from = [event.clientX, event.clientY];
		const follow = (move) => {
			if (!image.isConnected && Math.hypot(move.clientX - from[0], move.clientY - from[1]) > CLICK)
				document.body.append(image);
			image.style.left = `${move.clientX}px`;
			image.style.top = `${move.clientY}px`;
			if (image.isConnected && move.clientY < 60) scrollBy(0, -24);
		};
		const end = (drop) => {
			document.removeEventListener("pointermove", follow);
			document.removeEventListener("pointerup", end);
			document.removeEventListener("pointercancel", end);
			const lies = image.isConnected && drop.type === "pointerup";
			image.remove();
			const [x, y] = spot(drop);
			if (lies && Math.abs(x) < wide / 2 && y > -high / 2 && y < high / 2 + BACK)
				tell({ do: "lay", card: tray.dataset.card, x, y });
		};
		document.addEventListener("pointermove", follow);
		document.addEventListener("pointerup", end);
		document.addEventListener("pointercancel", end);
		event.preventDefault();
	});

	// A tap is a click: were the table scrolled here before that, the very click would lay the card.
	document.addEventListener("click", (event) => {
		const card = event.target.closest(".tray [data-card]");
		if (card) choose(card.dataset.card, card.dataset.at);
	});

	document.getElementById("tip").addEventListener("click", () => tell({ do: "tip", figure: picked }));
	document.addEventListener("click", (event) => {
		const button = event.target.closest("[data-deed]");
		if (button) tell(JSON.parse(button.dataset.deed));
	});
	for (const button of document.querySelectorAll("[data-switch]")) {
		button.addEventListener("click", () => {
			const on = button.getAttribute("aria-pressed") !== "true";
			tell({ do: button.dataset.switch, on, x: 0, y: 20 });
		});
	}

	// The panel's buttons are held as long as the finger is on them.
	for (const knob of document.querySelectorAll("[data-button]")) {
		const name = knob.dataset.button;
		knob.hidden = !fixed.buttons.includes(name);
		const down = () => {
			if (!knob.classList.contains("down")) {
				knob.classList.add("down");
				tell({ do: "press", button: name });
			}
		};
		const up = () => {
			if (knob.classList.contains("down")) {
				knob.classList.remove("down");
				tell({ do: "release", button: name });
			}
		};
		knob.addEventListener("pointerdown", (event) => {
			knob.setPointerCapture(event.pointerId);
			down();
		});
		for (const end of ["pointerup", "pointercancel", "lostpointercapture", "blur"]) knob.addEventListener(end, up);
		knob.addEventListener("keydown", (event) => {
			if (event.key === " " || event.key === "Enter") down();
		});
		knob.addEventListener("keyup", (event) => {
			if (event.key === " " || event.key === "Enter") up();
		});
	}

	const seen = document.getElementById("seen");
	const camera = document.getElementById("camera");
	const look = () => {
		if (seen.open && !document.hidden) camera.src = `/demo/camera.jpg?${Date.now()}`;
	};
	seen.addEventListener("toggle", look);
	camera.addEventListener("load", () => setTimeout(look, 700));
	camera.addEventListener("error", () => setTimeout(look, 2000));

	// A phone shows half of the table: where it goes on is marked, or what a bot does there happens nowhere.
	function edges() {
		const hidden = felt.scrollWidth - felt.clientWidth;
		felt.parentNode.classList.toggle("more-left", felt.scrollLeft > 8);
		felt.parentNode.classList.toggle("more-right", felt.scrollLeft < hidden - 8);
	}
	felt.addEventListener("scroll", edges, { passive: true });
	addEventListener("resize", edges);
	for (const button of document.querySelectorAll("[data-pan]"))
		button.addEventListener("click", () => {
			felt.scrollLeft += (Number(button.dataset.pan) * 92 * top.clientWidth) / (wide + 2 * WOOD);
		});
	document.addEventListener("told", () => shown && draw()); // what is lit comes with the page
	rows = ROWS;
	ground();
	felt.scrollLeft = (felt.scrollWidth - felt.clientWidth) / 2;
	edges();
	watch();
})();
