"""Errors that a person can cause, as one line on stderr: wrong use (exit 2), or a file that cannot be had (1)."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn

import click
from click.exceptions import NoArgsIsHelpError

if TYPE_CHECKING:
    from collections.abc import Iterator


class WrongUse(click.ClickException):
    """Wrong use, in one line without the usage above it."""

    exit_code = 2


def wrong_use(message: str) -> NoReturn:
    """End with one line on stderr and the exit code of wrong use."""
    raise WrongUse(" ".join(message.split()))


@contextmanager
def in_one_line() -> Iterator[None]:
    """Print in one line what click prints in four, with where to read on; no file ends a command with a traceback."""
    try:
        yield
    except NoArgsIsHelpError:  # nothing was asked for: the help is the answer
        raise
    except click.UsageError as error:
        where = f" See: {error.ctx.command_path} --help" if error.ctx else ""
        wrong_use(error.format_message() + where)
    except click.Abort:
        if sys.stdin.isatty():  # somebody did not want to
            raise
        message = "A question was asked, and nobody is there to answer: an option says it instead, see --help."
        raise click.ClickException(message) from None
    except BrokenPipeError:  # whoever read our output has gone: click ends quietly
        raise
    except OSError as error:
        what = f"{error.filename}: " if error.filename else ""
        raise click.ClickException(f"{what}{error.strerror or error}.") from error
