"""Wrong use of a command: one line on stderr, exit code 2."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn

import click
from click.exceptions import NoArgsIsHelpError

if TYPE_CHECKING:
    from collections.abc import Iterator


class WrongUse(click.ClickException):
    """Wrong use, told in one line without the usage above it."""

    exit_code = 2


def wrong_use(message: str) -> NoReturn:
    """End with one line on stderr and the exit code of wrong use."""
    raise WrongUse(" ".join(message.split()))


@contextmanager
def in_one_line() -> Iterator[None]:
    """What click tells in four lines is told in one, with where to read on."""
    try:
        yield
    except NoArgsIsHelpError:  # nothing was asked for: the help is the answer
        raise
    except click.UsageError as error:
        where = f" See: {error.ctx.command_path} --help" if error.ctx else ""
        wrong_use(error.format_message() + where)
