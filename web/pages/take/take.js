// Sharing and copying, where the browser allows them: only on pages from a secure address. Else the picture is downloaded.
"use strict";
const share = document.getElementById("share");
const copy = document.getElementById("copy");
const told = document.getElementById("told");

async function sharePicture() {
	const answer = await fetch(share.dataset.picture);
	const file = new File([await answer.blob()], "evening.png", { type: "image/png" });
	await navigator.share({ files: [file], text: told.value });
}

share.hidden = !navigator.canShare?.({ files: [new File([""], "evening.png", { type: "image/png" })] });
share.addEventListener("click", () => sharePicture().catch(() => {}));

// On a plain address the text is only marked: a long press copies it.
copy.hidden = false;
copy.addEventListener("click", async () => {
	told.select();
	const done = navigator.clipboard
		? await navigator.clipboard.writeText(told.value).then(() => true)
		: document.execCommand("copy");
	if (done) copy.textContent = copy.dataset.done;
});
