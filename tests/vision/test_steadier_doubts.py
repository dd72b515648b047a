"""What looks like a figure and is a threat's picture, and figures that nobody can read any more."""

from dataclasses import replace

from companion.vision.reading import CardSeen, Dweller, FigureChance, VisionReading
from companion.vision.time.steadier import FADE, LEAVE, Steadier

BLUE, STOOD_UP, GREEN = ("blue", "lying"), ("blue", "standing"), ("green", "standing")
SPACE, THREAT = "2:R1a", {"2:R1a": CardSeen("wild-goose", 1.0)}
HAND = "hand"


def look(*figures, threats=None, unsure=(), glare=0.0, hand=False):
    return VisionReading(
        "f",
        "found",
        hand=hand,
        rooms={"2:R1": CardSeen("garden", 1.0)},
        threats=threats or {},
        dwellers=tuple(Dweller(SPACE, *figure, 0.9) for figure in figures),
        unsure=tuple(unsure),
        glares={SPACE: glare} if glare else {},
    )


def shown(steadier, *looks):
    """What is held on the space after some looks; between two of them a hand may have moved things."""
    steady = None
    for one in looks:
        if one == HAND:
            steadier.changed({"2:R1"})
        else:
            steady = steadier.see(one)
    return [(one.player, one.pose) for one in steady.dwellers], SPACE in steady.unsure


BARE, LAID = look(), look(threats=THREAT)
PICTURE = look(BLUE, threats=THREAT)
ON_IT = look(GREEN, threats=THREAT)


# --- a threat whose picture looks like a figure -------------------------------------------------------------------


def test_what_comes_with_a_threat_is_its_picture():
    assert shown(Steadier(), BARE, BARE, HAND, PICTURE, PICTURE, PICTURE) == ([], False)
    assert shown(Steadier(), BARE, BARE, HAND, LAID, PICTURE, PICTURE, PICTURE) == ([], False)


def test_it_stays_so_whatever_moves_there_later():
    steadier = Steadier()
    shown(steadier, BARE, HAND, PICTURE, PICTURE, PICTURE)
    assert shown(steadier, HAND, PICTURE, PICTURE, PICTURE) == ([], False)
    steadier.disturb()
    assert shown(steadier, PICTURE, PICTURE, PICTURE) == ([], False)


def test_no_sum_of_looks_believes_a_picture():
    likely = {SPACE: FigureChance("blue", 0.9, 0.97, 0.5, 0.55)}
    steadier = Steadier()
    shown(steadier, BARE, HAND, PICTURE)
    doubtful = VisionReading("f", "found", rooms=BARE.rooms, threats=THREAT, unsure=(SPACE,), chances=likely)
    assert shown(steadier, doubtful, doubtful, doubtful, doubtful)[0] == []


def test_another_figure_on_it_comes_and_goes():
    steadier = Steadier()
    shown(steadier, BARE, HAND, PICTURE, PICTURE, PICTURE)
    assert shown(steadier, HAND, ON_IT, ON_IT) == ([GREEN], False)
    assert shown(steadier, HAND, look(BLUE, GREEN, threats=THREAT)) == ([GREEN], False)
    assert shown(steadier, HAND, PICTURE, PICTURE, PICTURE) == ([], False)


def test_a_figure_put_on_a_threat_that_lay_there_is_read():
    assert shown(Steadier(), BARE, HAND, LAID, LAID, HAND, PICTURE, PICTURE) == ([BLUE], False)


def test_a_figure_on_a_threat_that_is_held_is_read_after_a_bump():
    steadier = Steadier()
    shown(steadier, LAID, LAID)
    steadier.disturb()
    assert shown(steadier, PICTURE, PICTURE) == ([BLUE], False)


def test_where_everything_comes_at_once_the_figure_is_read():
    assert shown(Steadier(), PICTURE, PICTURE) == ([BLUE], False)
    nothing = VisionReading("f", "found")
    assert shown(Steadier(), nothing, nothing, HAND, PICTURE, PICTURE) == ([BLUE], False)


def test_a_threat_that_could_not_be_read_before_speaks_against_no_figure():
    dark = look(unsure=[SPACE])
    assert shown(Steadier(), dark, dark, HAND, PICTURE, PICTURE) == ([BLUE], False)


def test_a_threat_seen_with_nobody_on_it_beside_an_arm_speaks_against_no_figure():
    beside = look(threats=THREAT, hand=True)
    assert shown(Steadier(), BARE, HAND, beside, beside, beside, HAND, PICTURE, PICTURE) == ([BLUE], False)
    assert shown(Steadier(), BARE, HAND, beside, HAND, PICTURE, PICTURE) == ([], False)


def test_a_picture_that_was_read_rightly_in_the_end_speaks_against_no_figure():
    steadier = Steadier()
    shown(steadier, BARE, HAND, PICTURE, PICTURE, PICTURE)
    shown(steadier, HAND, LAID, LAID, LAID)
    assert shown(steadier, HAND, PICTURE, PICTURE) == ([BLUE], False)


def test_what_stays_when_the_threat_has_gone_was_a_figure():
    steadier = Steadier()
    shown(steadier, BARE, HAND, PICTURE, PICTURE, PICTURE)
    assert shown(steadier, HAND, *[look(BLUE)] * 5) == ([BLUE], False)


# --- a figure that nobody can read any more -----------------------------------------------------------------------

STANDS, HIDDEN = look(GREEN), look(unsure=[SPACE])
IN_GLARE, GLARE = look(GREEN, glare=0.7), look(unsure=[SPACE], glare=0.99)
ARM = look(unsure=[SPACE], glare=0.99, hand=True)
OVER_IT = look(unsure=[SPACE], hand=True)


def test_a_figure_that_cannot_be_read_for_long_is_unsure():
    steadier = Steadier()
    shown(steadier, STANDS, STANDS)
    assert shown(steadier, *[HIDDEN] * (FADE - 1)) == ([GREEN], False)
    assert shown(steadier, HIDDEN) == ([], True)
    assert shown(steadier, STANDS) == ([GREEN], False)


def test_so_is_one_whose_whole_slot_cannot_be_read():
    steadier = Steadier()
    shown(steadier, STANDS, STANDS)
    assert shown(steadier, *[look(unsure=["2:R1"])] * FADE) == ([], True)


def test_looks_with_a_hand_do_not_count():
    steadier = Steadier()
    shown(steadier, STANDS, STANDS, *[HIDDEN] * (FADE - 1))
    assert shown(steadier, *[look(unsure=[SPACE], hand=True)] * 9, STANDS)[0] == [GREEN]


def test_after_a_hand_over_it_one_rest_that_cannot_read_it_is_enough():
    steadier = Steadier()
    shown(steadier, look(BLUE), look(BLUE), look(unsure=[SPACE], hand=True))
    assert shown(steadier, *[look(unsure=[SPACE])] * (LEAVE - 1)) == ([BLUE], False)
    assert shown(steadier, look(unsure=[SPACE])) == ([], True)
    beside = Steadier()
    shown(beside, look(BLUE), look(BLUE), look(BLUE, hand=True))
    assert shown(beside, *[look(unsure=[SPACE])] * LEAVE) == ([BLUE], False)


def test_a_glimpse_of_another_pose_does_not_bring_the_old_one_back():
    steadier = Steadier()
    shown(steadier, look(BLUE), look(BLUE), *[look(unsure=[SPACE])] * FADE)
    assert shown(steadier, look(STOOD_UP)) == ([], True)
    assert shown(steadier, look(unsure=[SPACE]), look(STOOD_UP)) == ([STOOD_UP], False)


def test_a_threat_that_cannot_be_read_under_a_figure_stays():
    steadier = Steadier()
    shown(steadier, LAID, LAID)
    hidden = replace(look(GREEN), hidden=frozenset({SPACE}))
    assert shown(steadier, HAND, *[hidden] * (FADE + 1)) == ([GREEN], False)
    assert steadier.see(hidden).threats == THREAT


def test_an_unsure_figure_goes_when_its_space_is_read_empty():
    steadier = Steadier()
    shown(steadier, STANDS, STANDS, *[HIDDEN] * FADE)
    assert shown(steadier, BARE, BARE)[0] == []
    assert shown(steadier, BARE, BARE, BARE) == ([], False)


def test_on_a_threat_that_is_known_a_figure_stays_known():
    steadier = Steadier()
    shown(steadier, LAID, LAID, HAND, ON_IT, ON_IT)
    assert shown(steadier, *[look(threats=THREAT, unsure=[SPACE])] * 9) == ([GREEN], False)


def test_what_shone_through_a_glare_and_does_no_more_after_a_hand_has_gone():
    steadier = Steadier()
    shown(steadier, GLARE, GLARE, IN_GLARE, IN_GLARE, HAND, ARM, HAND)
    assert shown(steadier, GLARE, GLARE) == ([GREEN], False)
    assert shown(steadier, GLARE) == ([], False)
    assert shown(steadier, ARM, GLARE, GLARE) == ([], False)  # nobody reached over it


def test_where_somebody_reached_over_it_the_glare_is_a_doubt_again():
    steadier = Steadier()
    shown(steadier, IN_GLARE, IN_GLARE, ARM, GLARE, GLARE, GLARE)
    assert shown(steadier, OVER_IT, GLARE, GLARE) == ([], True)


def test_something_doubtful_there_is_a_doubt_again():
    steadier = Steadier()
    shown(steadier, IN_GLARE, IN_GLARE, ARM, GLARE, GLARE, GLARE)
    assert shown(steadier, HIDDEN, HIDDEN) == ([], True)


def test_something_in_the_glare_may_be_the_figure():
    steadier = Steadier()
    partly = look(unsure=[SPACE], glare=0.7)
    shown(steadier, IN_GLARE, IN_GLARE, ARM)
    assert shown(steadier, partly, partly, partly) == ([GREEN], False)


def test_without_a_hand_no_glare_takes_a_figure():
    steadier = Steadier()
    shown(steadier, IN_GLARE, IN_GLARE)
    assert shown(steadier, GLARE, GLARE, GLARE) == ([GREEN], False)


def test_a_glare_that_came_later_takes_no_figure():
    steadier = Steadier()
    shown(steadier, STANDS, STANDS, ARM)
    assert shown(steadier, GLARE, GLARE, GLARE) == ([GREEN], False)
    assert shown(steadier, GLARE) == ([], True)
