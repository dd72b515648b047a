// Shows a call when it is somebody's turn while their phone is in a pocket; tapped, it opens the table.
"use strict";
self.addEventListener("notificationclick", (event) => {
	event.notification.close();
	event.waitUntil(
		self.clients
			.matchAll({ type: "window", includeUncontrolled: true })
			.then((open) => (open.length ? open[0].focus() : self.clients.openWindow(event.notification.data))),
	);
});
