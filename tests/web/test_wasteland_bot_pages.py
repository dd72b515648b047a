"""Bots of the second game on the pages: the host's list of chairs, and what the feed says of their moves."""

from at_the_door import BEARER
from evening_out import begin

from companion.table.session.intents import Propose


def test_the_host_sees_who_plays_and_everybody_reads_why(house):
    begin(house, bots={"red": "fair"}, scenario="the-sunken-bell")
    page = house.client().get("/host/bots", headers=BEARER)
    assert page.status_code == 200
    assert "Bot, fair" in page.text
    choice = (house.state["pending"] or [None])[0]
    move = (
        {"do": "choose", "by": "red", "id": choice["id"], "option": choice["options"][0]}
        if choice
        else {"do": "end", "by": "red"}
    )
    house.session.ask(Propose(move, {"why": "w_end"})).result(20)
    assert "because: nothing more is worth the danger" in house.client().get("/seat/blue").text
