"""What is wrong with a record that somebody pasted, in their language."""

from __future__ import annotations

from tilewright.game.errors import BadRecord
from tilewright.game.record import FIRST_LINE
from tilewright.server.errors import RequestError
from tilewright.view.language import say
from tilewright.view.narrator import why_illegal


def bad_record(error: BadRecord) -> RequestError:
    """The refusal of a record: the kind of fault and its line, and which rule a move breaks."""

    def fault(language: str) -> str:
        why = why_illegal(*error.illegal, language).rstrip(".") if error.illegal else ""
        return say(
            language,
            f"errors.record.{error.fault}",
            line=error.line,
            first=FIRST_LINE,
            missing=error.missing,
            why=why,
        )

    return RequestError("bad_record", exactly=str(error), fault=fault)
