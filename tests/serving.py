"""An app that is served by a thread of its own, until a test closes it."""

import threading

from web.base.serving import bound, server_of

WAIT = 10


class Serving:
    """A server on a free port of this machine."""

    def __init__(self, app, **options):
        self.listening = bound(0, "127.0.0.1")
        self.server = server_of(app, self.listening, **options)
        self.port = self.listening.getsockname()[1]
        self.base = f"http://127.0.0.1:{self.port}"
        self.thread = threading.Thread(target=self.server.run, daemon=True)
        self.thread.start()

    def close(self):
        """End what is going on, and then the server."""
        self.server.stop()
        self.thread.join(WAIT)
        self.listening.close()
        assert not self.thread.is_alive()
