// A phone as the table's camera: it judges by itself whether something moves, and sends pictures of the table at rest.
"use strict";
const WIDE = 160; // dots of the small picture by which movement is judged
const EVERY = 250;
const NOTABLE = 18; // grey levels, above the noise of a phone's camera in lamplight
const MOVING = 0.002; // of the dots
const CHANGED = 3; // dots in which the table differs from what was sent
const RESTING = 3; // looks in a row
const BEAT = 2000;
const AGAIN = 10000; // what is missed by the dots is seen by then
const PATIENT = 8000; // a picture is sent in spite of movement: it may be a lamp
const QUALITY = 0.85;
const video = by("seen");
const how = by("how");
const small = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
const large = document.createElement("canvas").getContext("2d");
let before = null; // the small picture of the last look
let sent = null; // and that of the picture that was sent last
let resting = 0;
let sentAt = 0;
let beatAt = 0;
let stillAt = 0;
let said = false; // whether the table was told that something moves
let wanted = true;
let busy = false;
let timer = 0;
let held = null;

function tell(word) {
	how.dataset.state = word;
	how.textContent = how.dataset[word];
}

function looked() {
	small.canvas.width = WIDE;
	small.canvas.height = Math.round((WIDE * video.videoHeight) / video.videoWidth);
	small.drawImage(video, 0, 0, small.canvas.width, small.canvas.height);
	const dots = small.getImageData(0, 0, small.canvas.width, small.canvas.height).data;
	const grey = new Uint8Array(dots.length / 4);
	for (let at = 0; at < grey.length; at += 1) grey[at] = (dots[4 * at] + 2 * dots[4 * at + 1] + dots[4 * at + 2]) >> 2;
	return grey;
}

function differing(one, other) {
	if (!one || one.length !== other.length) return other.length;
	let count = 0;
	for (let at = 0; at < other.length; at += 1) if (Math.abs(one[at] - other[at]) > NOTABLE) count += 1;
	return count;
}

async function asked(path, body, type) {
	const answer = await fetch(path, { method: "POST", headers: { "Content-Type": type }, body });
	if (answer.status === 403) {
		end();
		tell("replaced");
		return {};
	}
	return answer.ok ? answer.json() : {};
}

async function deliver(now, moving) {
	const { canvas } = large;
	canvas.width = video.videoWidth;
	canvas.height = video.videoHeight;
	large.drawImage(video, 0, 0);
	const picture = await new Promise((made) => canvas.toBlob(made, "image/jpeg", QUALITY));
	await asked(`/api/eye/picture?moving=${moving ? 1 : 0}`, picture, "image/jpeg");
	sent = now;
	sentAt = beatAt = Date.now();
	wanted = false;
	said = moving;
}

async function look() {
	if (busy || !video.videoWidth) return;
	busy = true;
	try {
		const now = looked();
		const at = Date.now();
		const moving = differing(before, now) > MOVING * now.length;
		before = now;
		resting = moving ? 0 : resting + 1;
		if (!moving) stillAt = at;
		const rests = resting >= RESTING;
		const news = said || differing(sent, now) >= CHANGED || at - sentAt > AGAIN;
		if ((rests && news) || wanted || at - stillAt > PATIENT) {
			await deliver(now, !rests && at - stillAt <= PATIENT);
			if (!rests) stillAt = at;
		} else if (moving !== said ? moving : at - beatAt > BEAT) {
			const told = await asked("/api/eye/beat", JSON.stringify({ moving: !rests }), "application/json");
			wanted = Boolean(told.wanted);
			beatAt = at;
			said = !rests;
		}
		if (timer) tell(rests ? "rest" : "moving");
	} catch {
		tell("away");
		wanted = true;
	} finally {
		busy = false;
	}
}

async function stayAwake() {
	if (timer && !document.hidden && !held && navigator.wakeLock) {
		held = await navigator.wakeLock.request("screen");
		held.addEventListener("release", () => {
			held = null;
		});
	}
}

async function begin() {
	end();
	const size = { width: { ideal: 1920 }, height: { ideal: 1080 }, resizeMode: { ideal: "none" } };
	const picture = { facingMode: { ideal: "environment" }, ...size };
	try {
		video.srcObject = await navigator.mediaDevices.getUserMedia({ audio: false, video: picture });
		video.dataset.on = "yes";
		await video.play();
	} catch {
		tell("denied");
		return;
	}
	by("begin").hidden = by("single").hidden = true;
	stillAt = Date.now();
	timer = setInterval(look, EVERY);
	stayAwake().catch(() => {});
}

function end() {
	clearInterval(timer);
	timer = 0;
	for (const track of video.srcObject ? video.srcObject.getTracks() : []) track.stop();
	by("begin").hidden = by("single").hidden = false;
}

// A phone that was put aside comes back without its camera: it is taken again, without anybody's tap.
document.addEventListener("visibilitychange", () => {
	if (document.hidden || !timer) return;
	if (video.srcObject.getVideoTracks().every((track) => track.readyState === "live")) stayAwake().catch(() => {});
	else begin();
});
by("begin").addEventListener("click", begin);

async function beginAgain() {
	const may = await navigator.permissions.query({ name: "camera" });
	if (may.state === "granted") await begin();
}

if (window.isSecureContext && navigator.mediaDevices) {
	by("live-eye").hidden = false;
	beginAgain().catch(() => {}); // not every browser tells
}
