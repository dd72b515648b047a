"""An app that is served by a thread of its own, until a test closes it."""

import threading

from waitress import wasyncore

from web.base.serving import bound, server_of

WAIT = 10


class Serving:
    """A server on a free port of this machine."""

    def __init__(self, app):
        self.listening = bound(0, "127.0.0.1")
        self.server = server_of(app, self.listening)
        self.base = f"http://127.0.0.1:{self.listening.getsockname()[1]}"
        self.thread = threading.Thread(target=self.server.run, daemon=True)
        self.thread.start()

    def close(self):
        """End what is going on, and then the server.

        Its sockets are closed by the thread that waits on them, not under its feet; and not before who wakes it has
        done so, since the pipe for that is closed as well.
        """
        woken = threading.Event()

        def end():
            woken.wait(WAIT)
            wasyncore.close_all(self.server._map, ignore_all=True)

        self.server.task_dispatcher.shutdown(timeout=WAIT)
        self.server.trigger.pull_trigger(end)
        woken.set()
        self.thread.join(WAIT)
        self.listening.close()
