// The demo's table: what lies there is drawn from above; what a mouse, a thumb or a key does is told to the hands.
"use strict";
(() => {
	const felt = document.getElementById("felt");
	const top = document.getElementById("top");
	const fixed = JSON.parse(felt.dataset.fixed);
	const [wide, high] = fixed.mat;
	const NS = "http://www.w3.org/2000/svg";
	const FRONT = 60; // of the table before the mat, where dwellers wait
	const BACK = 76; // and of it behind the mat, where the tracks lie
	const CLICK = 6; // pixels that a tap may wander
	let shown = null;
	let held = null;
	let picked = null;
	let chosen = null; // a card of a tray that was tapped: the next tap on the table lays it there
	let goal = null; // where that one is wanted

	top.setAttribute("viewBox", `${-wide / 2} ${-high / 2 - BACK} ${wide} ${high + FRONT + BACK}`);

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
		if (!answer.ok) say((await answer.json()).error.message);
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
	make("rect", { class: "mat", x: -wide / 2, y: -high / 2, width: wide, height: high }, layers.ground);
	make("image", { href: "/demo/pieces/mat.png", x: -wide / 2, y: -high / 2, width: wide, height: high }, layers.ground);
	for (const [track, [x, y, w, h]] of Object.entries(fixed.tracks)) {
		make(
			"image",
			{ href: `/demo/pieces/track-${track}.png`, x: x - w / 2, y: -y - h / 2, width: w, height: h },
			layers.ground,
		);
	}
	for (const [name, [x, y]] of Object.entries(fixed.spaces)) {
		make("circle", { class: "spot", cx: x, cy: -y, r: 11, "data-space": name }, layers.spots);
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
		const found = keyed("cards", one.file, () =>
			make("image", { class: `card ${one.kind}`, href: `/demo/pieces/${one.file}`, "data-file": one.file }),
		);
		for (const [key, value] of Object.entries({ x: -w / 2, y: -h / 2, width: w, height: h }))
			found.setAttribute(key, value);
		found.setAttribute("transform", `translate(${one.at[0]} ${-one.at[1]}) rotate(${-one.turn})`);
		found.classList.toggle("loose", one.kind === "room" && one.at[1] > high / 2);
		if (one.kind === "threat") layers.cards.append(found);
	}

	function figure(one, number) {
		const found = keyed("figures", one.key, () => {
			const group = make("g", { class: "figure", tabindex: 0, role: "button", "data-figure": one.key });
			make("circle", { class: "reach", r: 17 }, group);
			make("path", { class: `body player-${one.player}` }, group);
			make("use", { class: "mark", href: `#b-${one.player}`, width: 8, height: 8 }, group);
			return group;
		});
		found.setAttribute("aria-label", `${one.player} ${number}`);
		const [body, mark] = [found.querySelector(".body"), found.querySelector(".mark")];
		body.setAttribute("d", one.lying ? "M-15 -7.5 L15 -4 L15 4 L-15 7.5z" : "M-7.5 -7.5 L7.5 -7.5 L7.5 7.5 L-7.5 7.5z");
		mark.setAttribute("x", one.lying ? 4 : -4);
		mark.setAttribute("y", -4);
		found.classList.toggle("picked", picked === one.key);
		if (!held || held.key !== one.key) place(found, one.at[0], one.at[1], one.lying ? one.turn : 0);
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

	function place(node, x, y, turn) {
		node.setAttribute("transform", `translate(${x} ${-y}) rotate(${-turn})`);
	}

	function draw() {
		shown.cards.forEach(card);
		shown.figures.forEach((one, number) => figure(one, number + 1));
		shown.dice.forEach(die);
		for (const layer of ["cards", "figures", "dice"]) {
			for (const node of [...layers[layer].children]) if (node.dataset.fresh !== String(shown.version)) node.remove();
		}
		layers.over.replaceChildren();
		if (!shown.lamp)
			make(
				"rect",
				{ class: "dark", x: -wide / 2, y: -high / 2 - BACK, width: wide, height: high + FRONT + BACK },
				layers.over,
			);
		if (shown.hand)
			make(
				"path",
				{
					class: "hand",
					d: "M-9 0 q0 -14 9 -14 q9 0 9 14 l14 20 l0 260 l-46 0 l0 -260z",
					transform: `translate(${shown.hand[0]} ${-shown.hand[1]})`,
				},
				layers.over,
			);
		const threat = fixed.threats.includes(chosen);
		felt.classList.toggle("picking", picked !== null || (threat && !goal));
		felt.classList.toggle("laying", chosen !== null);
		if (goal) make("circle", { class: "goal", cx: goal[0], cy: -goal[1], r: threat ? 14 : 28 }, layers.over);
		for (const space of layers.spots.children)
			space.classList.toggle("bare", bare(...fixed.spaces[space.dataset.space]));
		document.getElementById("tip").disabled = picked === null;
		const states = { cover: shown.covered, hand: shown.hand !== null, lamp: shown.lamp, help: shown.helping };
		for (const button of document.querySelectorAll("[data-switch]"))
			button.setAttribute("aria-pressed", states[button.dataset.switch]);
		for (const lamp of document.querySelectorAll("[data-lamp]"))
			lamp.className = `g${Math.round(4 * (shown.panel[lamp.dataset.lamp] ?? 0))}`;
		document.body.dataset.table = shown.version;
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
		return [at.x, -at.y];
	}

	function pick(key) {
		picked = picked === key ? null : key;
		draw();
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
			if (goal) felt.scrollLeft = (goal[0] / wide + 0.5) * top.clientWidth - felt.clientWidth / 2;
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
		const [x, y] = fixed.spaces[space.dataset.space];
		tell({ do: "move", figure: picked, x, y });
		pick(picked);
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
		else if (event.key === "Enter" || event.key === " ") pick(key);
		else if (event.key === "t") tell({ do: "tip", figure: key });
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
	felt.scrollLeft = (felt.scrollWidth - felt.clientWidth) / 2;
	edges();
	watch();
})();
