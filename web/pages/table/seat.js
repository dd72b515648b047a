// A player's own phone: it nudges when somebody waits for it, reads aloud if it may, and tells what was missed.
"use strict";
const place = by("away");
const KEY = "looked";
const LONG = 10000;
let sound = null;
let hiddenAt = 0;

const on = (name) => by("live").dataset.phone.split(" ").includes(name);

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

function speak(text) {
	if (!window.speechSynthesis) return;
	speechSynthesis.cancel();
	const said = new SpeechSynthesisUtterance(text);
	said.lang = document.documentElement.lang;
	speechSynthesis.speak(said);
}

function nudge() {
	if (on("shake") && navigator.vibrate) navigator.vibrate([80, 60, 80]);
	if (on("sound")) chime();
	if (document.hidden) scrollTo({ top: 0 });
}

// Nobody is nudged in the middle of their own turn: only when the waiting for them begins.
document.addEventListener("told", ({ detail: { before, now } }) => {
	if (now.call && !before.call) nudge();
	if (on("speak") && now.tell !== before.tell) speak(now.tell);
	if (!document.hidden) looked();
});

function looked() {
	localStorage.setItem(KEY, JSON.stringify({ game: by("live").dataset.game, seq: seen }));
}

// What happened since this phone last showed the game to somebody.
async function missed() {
	const last = JSON.parse(localStorage.getItem(KEY) ?? "null");
	looked();
	if (!last || last.game !== by("live").dataset.game || last.seq < 0) return;
	const answer = await fetch(`${place.dataset.from}?since=${last.seq}`);
	if (!answer.ok) return;
	const page = new DOMParser().parseFromString(await answer.text(), "text/html");
	const told = page.getElementById("missed");
	if (told.dataset.others === "yes") place.replaceChildren(document.importNode(told, true));
}

place.addEventListener("click", (event) => {
	if (event.target.id !== "missed-ok") return;
	event.preventDefault();
	place.replaceChildren();
});
document.addEventListener("visibilitychange", () => {
	if (document.hidden) hiddenAt = Date.now();
	else if (Date.now() - hiddenAt > LONG) missed().catch(() => {});
});
missed().catch(() => {});
