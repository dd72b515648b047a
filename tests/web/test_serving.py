"""Closing a server whose own thread is quicker than the one that wakes it."""


def test_a_server_is_not_closed_before_who_wakes_it_has_done_so(house, monkeypatch):
    house.serve()
    trigger, thread = house.serving.server.trigger, house.serving.thread
    wake = trigger._physical_pull

    def twice():
        wake()
        thread.join(0.2)  # as long as a thread that closes at once would need
        wake()

    monkeypatch.setattr(trigger, "_physical_pull", twice)
    house.serving.close()
    assert not thread.is_alive()
    house.serving = None
