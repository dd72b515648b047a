// A phone that stays with its player: it nudges, reads aloud, stays awake, and is called when it is in a pocket.
"use strict";
const on = (name) => by("live").dataset.phone.split(" ").includes(name);
let sound = null;
let held = null;

// Browsers let a page make a sound only after somebody has touched it.
for (const kind of ["pointerdown", "keydown"]) {
	addEventListener(
		kind,
		() => {
			sound ??= new (window.AudioContext || window.webkitAudioContext)();
			if (sound.state === "suspended") sound.resume();
		},
		{ passive: true },
	);
}

// Two short tones, the second one higher.
function chime() {
	if (!sound) return;
	[523, 784].forEach((pitch, nth) => {
		const at = sound.currentTime + nth * 0.16;
		const tone = sound.createOscillator();
		const loud = sound.createGain();
		tone.type = "triangle";
		tone.frequency.value = pitch;
		loud.gain.setValueAtTime(0.0001, at);
		loud.gain.exponentialRampToValueAtTime(0.25, at + 0.02);
		loud.gain.exponentialRampToValueAtTime(0.0001, at + 0.3);
		tone.connect(loud).connect(sound.destination);
		tone.start(at);
		tone.stop(at + 0.32);
	});
}

// What happens is said to its end, one thing after the other; whose turn it is comes last, as it is by that time.
const happened = [];
let next = "";
let saying = false;
function speak() {
	const text = happened.shift() ?? next;
	if (text === next) next = "";
	saying = Boolean(text && window.speechSynthesis);
	if (!saying) return;
	const said = new SpeechSynthesisUtterance(text);
	said.lang = document.documentElement.lang;
	said.onend = said.onerror = speak;
	speechSynthesis.speak(said);
}

// Some engines forget to say that they are at the end.
function begin() {
	if (!saying || !(speechSynthesis.speaking || speechSynthesis.pending)) speak();
}

function nudge() {
	if (on("shake") && navigator.vibrate) navigator.vibrate([80, 60, 80]);
	if (on("sound")) chime();
	if (document.hidden) scrollTo({ top: 0 });
}

async function stayAwake() {
	const wanted = on("awake") && !document.hidden && by("live").dataset.game;
	if (!wanted) {
		if (held) held.release();
		held = null;
	} else if (!held && navigator.wakeLock) {
		held = await navigator.wakeLock.request("screen");
		held.addEventListener("release", () => {
			held = null;
		});
	}
}

async function call(text) {
	const caller = await navigator.serviceWorker.ready;
	await caller.showNotification(document.title, { body: text, tag: "turn", data: location.pathname });
}

// Only pages from a secure address may stay awake and call: elsewhere the page says so, with what helps.
function sayWhatIsNot() {
	const plain = by("plain");
	if (plain) plain.hidden = window.isSecureContext;
}

// A game's chance takes a number of every phone, once and without anybody doing anything.
async function addNumber() {
	if (!on("number")) return;
	await import(document.querySelector("meta[name=stay]").content.replace("stay.js", "number.js"));
	document.dispatchEvent(new CustomEvent("addnumber", { detail: location.pathname.split("/")[2] }));
}

// Nobody is nudged in the middle of their own turn: only when the waiting for them begins.
document.addEventListener("told", ({ detail: { before, now } }) => {
	sayWhatIsNot();
	stayAwake().catch(() => {});
	addNumber().catch(() => {});
	if (now.call && !before.call) {
		nudge();
		if (document.hidden && on("call") && window.Notification?.permission === "granted") call(now.tell).catch(() => {});
	}
	if (!on("speak")) hush();
	else if (now.tell !== before.tell) {
		next = now.tell;
		queueMicrotask(begin); // what has happened is heard of in the same moment, and said first
	}
});
document.addEventListener("moment", ({ detail }) => {
	if (!detail || !on("speak")) return;
	happened.push(detail);
	begin();
});

function hush() {
	if (saying) speechSynthesis.cancel();
	happened.length = 0;
	next = "";
	saying = false;
}

// Whoever wants to be called needs a service worker, and nobody else: without a connection it is one thing more to fail.
function prepareCalls() {
	if (window.isSecureContext && navigator.serviceWorker) navigator.serviceWorker.register("/caller.js").catch(() => {});
}

document.addEventListener("click", (event) => {
	if (!event.target.closest("#switch-call") || !window.Notification) return;
	prepareCalls();
	Notification.requestPermission().catch(() => {});
});
document.addEventListener("visibilitychange", () => stayAwake().catch(() => {}));
if (on("call")) prepareCalls();
sayWhatIsNot();
stayAwake().catch(() => {});
addNumber().catch(() => {});
