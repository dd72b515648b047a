// Checks the chance of a finished game in this browser, out of its journal; docs/fair.md says what is worked out here.
const WORD = 2 ** 32;
const encoder = new TextEncoder();

// SHA-256 of our own: browsers give theirs to secure addresses alone, and a table at home has none.
const primes = [];
for (let number = 2; primes.length < 64; number++) if (primes.every((prime) => number % prime)) primes.push(number);
const fraction = (number) => Math.floor((number % 1) * WORD);
const ROUNDS = primes.map((prime) => fraction(Math.cbrt(prime)));
const START = primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const turn = (word, by) => (word >>> by) | (word << (32 - by));

export function ownSha256(bytes) {
	const whole = new Uint8Array(((bytes.length + 8) >> 6) * 64 + 64);
	whole.set(bytes);
	whole[bytes.length] = 128;
	const view = new DataView(whole.buffer);
	view.setUint32(whole.length - 8, Math.floor(bytes.length / 2 ** 29));
	view.setUint32(whole.length - 4, bytes.length << 3);
	const hash = Int32Array.from(START);
	const words = new Int32Array(64);
	for (let at = 0; at < whole.length; at += 64) {
		let [a, b, c, d, e, f, g, h] = hash;
		for (let n = 0; n < 64; n++) {
			if (n < 16) words[n] = view.getInt32(at + 4 * n);
			else {
				const early = words[n - 15];
				const late = words[n - 2];
				const one = turn(early, 7) ^ turn(early, 18) ^ (early >>> 3);
				const two = turn(late, 17) ^ turn(late, 19) ^ (late >>> 10);
				words[n] = words[n - 16] + one + words[n - 7] + two;
			}
			const sum = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
			const first = (h + sum + ((e & f) ^ (~e & g)) + ROUNDS[n] + words[n]) | 0;
			const other = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
			const second = (other + ((a & b) ^ (a & c) ^ (b & c))) | 0;
			[h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
		}
		[a, b, c, d, e, f, g, h].forEach((word, n) => (hash[n] += word));
	}
	const result = new DataView(new ArrayBuffer(32));
	hash.forEach((word, n) => result.setInt32(4 * n, word));
	return new Uint8Array(result.buffer);
}

const sha256 = globalThis.crypto?.subtle
	? async (bytes) => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))
	: async (bytes) => ownSha256(bytes);
const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
const unhex = (text) => Uint8Array.from(text.match(/../g) ?? [], (two) => Number.parseInt(two, 16));
const joined = (one, two) => Uint8Array.from([...one, ...two]);

export async function hmac(key, bytes) {
	const padded = (mark) => Uint8Array.from({ length: 64 }, (_, n) => (key[n] ?? 0) ^ mark);
	return sha256(joined(padded(0x5c), await sha256(joined(padded(0x36), bytes))));
}

async function draws(key, about, bounds) {
	const found = [];
	for (let block = 0; found.length < bounds.length; block++) {
		const view = new DataView((await hmac(key, encoder.encode(`${about}/${block}`))).buffer);
		for (let at = 0; at < 32 && found.length < bounds.length; at += 4) {
			const bound = bounds[found.length];
			const word = view.getUint32(at);
			if (word < WORD - (WORD % bound)) found.push(word % bound);
		}
	}
	return found;
}

const same = (one, two) => JSON.stringify(one) === JSON.stringify(two);

// What a game does with chance, entry by entry, in the order of the companion's own check.
class Check {
	constructor(first) {
		this.key = unhex(first.seed);
		this.added = "";
		this.seats = new Set();
		this.known = new Map();
		this.thrown = new Set();
		this.found = [];
		this.after = [];
		this.undone = [];
		this.reopened = false;
		this.here = { before: null, rolls: 0, shuffles: 0 };
		const given = ["decks", "dice", "discards", "start"].filter((name) => name in first.setup);
		this.stacked = given.includes("decks");
		if (given.length) this.found.push({ fell: given, people: true });
		for (const key of ["cards", "dice"])
			if ([first.setup[key], first.setup.options?.[key]].includes("table")) this.found.push({ people: true });
		this.players = first.setup.players;
		for (const one of first.fair.numbers) this.number(one, true);
	}

	number({ by, number }, opening) {
		const whose = opening ? ["red", "blue", "green", "yellow", "start"] : this.players;
		const good = /^[0-9a-f]{32}$/.test(number) && !this.seats.has(by) && whose.includes(by) && !this.reopened;
		this.found.push({ fell: number, number: true, wrong: good ? "" : "form" });
		this.seats.add(by);
		this.added += `/${by}=${number}`;
	}

	place(kind, nth, place) {
		if (kind === "shuffle" && this.stacked) return "";
		return nth === (kind === "shuffle" ? this.here.shuffles : this.here.rolls) + place ? "" : "place";
	}

	judge(kind, nth, place, fell, follows) {
		const wrong = same(fell, follows) ? this.place(kind, nth, place) : "value";
		this.found.push({ kind, fell, follows, wrong, people: kind === "roll" && this.thrown.has(nth) });
	}

	async entry(entry, reopens) {
		if (reopens) this.found.push({ people: true });
		this.reopened ||= reopens;
		if (entry.kind === "number") this.number(entry, false);
		const { thrown = [], rolls = [], dice = [], shuffles = [], shuffled = [] } = entry.chance ?? {};
		const brought = entry.move?.dice ?? [];
		if (rolls.length !== dice.length || shuffles.length !== shuffled.length || thrown.length > brought.length)
			throw new Error("form");
		thrown.forEach((nth, at) => {
			this.found.push({ fell: brought[at], people: true });
			this.known.set(`roll ${nth}`, brought[at]);
			this.thrown.add(nth);
		});
		const fallen = [];
		for (const [at, nth] of rolls.entries()) {
			const known = this.known.get(`roll ${nth}`);
			const about = `roll/${nth}${this.added}`;
			const follows = known ?? (await draws(this.key, about, [6, 6])).map((number) => number + 1);
			this.judge("roll", nth, thrown.length + at, dice[at], follows);
			fallen.push([`roll ${nth}`, dice[at]]);
		}
		for (const [at, nth] of shuffles.entries()) {
			const cards = [...shuffled[at]].sort((one, two) => one - two);
			const added = this.known.get(`shuffle ${nth}`) ?? this.added;
			const bounds = Array.from({ length: Math.max(0, cards.length - 1) }, (_, n) => cards.length - n);
			for (const [n, other] of (await draws(this.key, `shuffle/${nth}${added}`, bounds)).entries()) {
				const last = cards.length - 1 - n;
				[cards[last], cards[other]] = [cards[other], cards[last]];
			}
			this.judge("shuffle", nth, at, shuffled[at], cards);
			if (!this.known.has(`shuffle ${nth}`)) fallen.push([`shuffle ${nth}`, added]);
		}
		if (entry.move?.drawn && entry.move.drawn.length !== 0) this.found.push({ fell: entry.move.drawn, people: true });
		if (entry.move?.do === "correct") this.found.push({ fell: Object.keys(entry.move.set ?? {}).sort(), people: true });
		for (const [key, what] of fallen) this.known.set(key, what);
		this.go(entry, thrown.length + rolls.length, shuffles.length);
	}

	// The way that moves, undo and redo take through the positions of the game.
	go(entry, rolls, shuffles) {
		const { here } = this;
		if (entry.kind === "game") this.here = { before: null, rolls, shuffles };
		else if (entry.kind === "move" || entry.kind === "cards") {
			this.here = { before: here, rolls: here.rolls + rolls, shuffles: here.shuffles + shuffles };
			this.undone = [];
		} else if (entry.kind === "undo") {
			this.here = entry.to === undefined ? here.before : this.after[entry.to].here;
			this.undone = [...this.undone, here];
		} else if (entry.kind === "redo") {
			this.here = this.undone[this.undone.length - 1];
			this.undone = this.undone.slice(0, -1);
		} else if (entry.kind === "aside") {
			({ here: this.here, undone: this.undone } = this.after[entry.since - 1]);
			this.after.fill({ here: this.here, undone: this.undone }, entry.since);
		}
		if (!this.here) throw new Error("form");
		this.after.push({ here: this.here, undone: this.undone });
	}
}

// Every line's hash is its own, and it names the one before.
async function chained(lines) {
	let before = "0".repeat(64);
	for (const line of lines) {
		const cut = line.lastIndexOf(',"hash":"');
		const hash = hex(await sha256(encoder.encode(`${line.slice(0, cut)}}`)));
		if (hash !== line.slice(cut + 9, -2) || JSON.parse(line).before !== before) return false;
		before = hash;
	}
	return true;
}

// `reopened`: the entries that went on after an end, which the rules know and a journal does not say.
export async function checkJournal(text, reopened = []) {
	const lines = text.trim().split("\n");
	const entries = lines.map((line) => JSON.parse(line));
	const [first] = entries;
	const check = new Check(first);
	for (const entry of entries) {
		try {
			await check.entry(entry, reopened.includes(entry.nth));
		} catch {
			check.found.push({ fell: null, wrong: "form" });
		}
	}
	const kept = hex(await sha256(check.key)) === first.fair.promise;
	return { first, kept, chain: await chained(lines), found: check.found, entries };
}

const TOP = 10;
function told(kind, fell) {
	if (!Array.isArray(fell)) return String(fell ?? "");
	if (kind !== "shuffle") return fell.join(" ");
	return [...fell].reverse().slice(0, TOP).join(" ") + (fell.length > TOP ? " …" : "");
}

function show(verdict, { first, kept, chain, found, entries }) {
	const lines = [...document.querySelectorAll("#draws > li")];
	const { dataset } = verdict;
	found.forEach(({ kind, fell, follows, wrong, people, number }, at) => {
		if (!lines[at]) return;
		const so = lines[at].querySelector(".so");
		lines[at].querySelector(".fell").textContent = told(kind, fell);
		lines[at].classList.toggle("bad", Boolean(wrong));
		if (wrong) so.textContent = `✗ ${dataset[wrong].replace("{}", told(kind, follows))}`;
		else if (!people && !number) so.textContent = `✓ ${dataset.follows}`;
	});
	const good = kept && chain && found.length === lines.length && found.every((one) => !one.wrong);
	verdict.classList.toggle("bad", !good);
	verdict.querySelector(".word b").textContent = good ? "✓" : "✗";
	verdict.querySelector(".word span").textContent = dataset[good ? "good" : "bad"];
	document.getElementById("where").textContent = chain ? dataset.here : dataset.chain;
	document.getElementById("secret").classList.toggle("bad", !kept);
	const numbers = [...first.fair.numbers, ...entries].map((one) => one.number);
	const own = JSON.parse(localStorage.getItem("numbers") ?? "{}")[first.fair.promise] ?? [];
	const missing = own.some(({ number, taken }) => taken && !numbers.includes(number));
	const mine = document.getElementById("mine");
	mine.textContent = dataset[missing ? "missing" : "mine"];
	mine.classList.toggle("bad", missing);
	mine.hidden = !missing && !own.some(({ number }) => numbers.includes(number));
	verdict.dataset.done = good ? "good" : "bad";
}

async function checkPage() {
	const verdict = document.getElementById("verdict");
	if (!verdict?.dataset.journal) return;
	const answer = await fetch(verdict.dataset.journal);
	if (answer.ok) show(verdict, await checkJournal(await answer.text(), JSON.parse(verdict.dataset.reopened)));
}
checkPage();
