"""A training run in a folder: its checkpoint, its weights and its log. Opening the folder again resumes the run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tilewright.bots.bot import close_bot
from tilewright.bots.registry import make_bot
from tilewright.game.errors import BadOption
from tilewright.game.game import Game
from tilewright.learn import checkpoint
from tilewright.learn.configuration import Configuration
from tilewright.learn.evaluation import evaluate
from tilewright.learn.log import LOG, Line, append_line, read_log, write_log
from tilewright.learn.processes import check_device
from tilewright.learn.training import Trainer

CHECKPOINT, WEIGHTS = "checkpoint.pt", "weights.npz"
EVALUATION_DEALS = 20


def open_run(
    folder: Path,
    game: Game,
    device: str = "cpu",
    source: Path | None = None,
    settings: Mapping[str, Any] | None = None,
    defaults: Mapping[str, Any] | None = None,
    opponent: str = "greedy",
) -> Run:
    """The run of a folder.

    A new run has the configuration that ``settings`` and then ``defaults`` say, and begins with the exported weights
    of the ``source``, if there is one. A run that is resumed keeps its configuration except for the ``settings``, and
    its own weights.
    """
    settings = settings or {}
    check_device(device)
    close_bot(make_bot(opponent))  # an unknown name should not cost minutes of training
    if (folder / CHECKPOINT).exists():
        trainer = checkpoint.resume(game, folder / CHECKPOINT, device, **settings)
        if source is not None and trainer.origin != checkpoint.origin_of(source):
            raise BadOption(
                f"{folder} already holds a run that did not begin with {source}; begin a new run in another folder"
            )
    else:
        trainer = Trainer(game, Configuration(**{**(defaults or {}), **settings}), device)
        if source is not None:
            checkpoint.start_from(trainer, source)
    return Run(folder, trainer, opponent)


class Run:
    """A trainer whose progress is logged, evaluated and saved."""

    def __init__(self, folder: Path, trainer: Trainer, opponent: str = "greedy") -> None:
        self.folder, self.trainer, self.opponent = folder, trainer, opponent
        self._saved_at = self._evaluated_at = trainer.seconds
        if trainer.processes.is_first:
            folder.mkdir(parents=True, exist_ok=True)
            self._forget_lines_after(trainer.steps)
        self._board = self._tensorboard() if trainer.processes.is_first else None

    def train(
        self,
        seconds: float | None = None,
        steps: int | None = None,
        report: Callable[[Line], None] | None = None,
        progress: Callable[[float], None] | None = None,
        save_every: float = 60.0,
        evaluate_every: float | None = 120.0,
        saved: Callable[[], None] | None = None,
        deadline: float | None = None,
    ) -> None:
        """Train until the run has lasted this many seconds or made this many steps, earlier sessions included.

        The run is saved about every ``save_every`` seconds, and at the end even if it was interrupted; each time
        ``saved`` is called. Evaluations take time, which does not count as training. At the ``deadline``, a time of
        ``time.monotonic``, training stops even if the run is not complete.
        """

        def write(line: Line) -> None:
            due = evaluate_every is not None and self.trainer.seconds - self._evaluated_at >= evaluate_every
            if due and self._has_learnt:
                line = line | self.evaluation()
            self._log(line)
            if report is not None:
                report(line)
            if self.trainer.seconds - self._saved_at >= save_every:
                save()

        def save() -> None:
            self.save()
            if saved is not None:
                saved()

        try:
            self.trainer.run(seconds, steps, write, min(10.0, save_every), progress, deadline)
        finally:
            save()
        if evaluate_every is not None and self.trainer.processes.is_first and self._has_learnt:
            self._evaluated_at = float("-inf")
            write({"seconds": round(self.trainer.seconds, 1), "steps": self.trainer.steps})

    @property
    def _has_learnt(self) -> bool:
        """Whether the weights are worth an evaluation: random ones are not."""
        return self.trainer.updates > 0 or bool(self.trainer.origin)

    def save(self) -> None:
        """Write the checkpoint and the weights."""
        if self.trainer.processes.is_first:
            checkpoint.save(self.trainer, self.folder / CHECKPOINT)
            checkpoint.export(self.trainer, self.folder / WEIGHTS)
        self._saved_at = self.trainer.seconds

    def evaluation(self) -> Line:
        """The policy's share of wins against a bot, with its standard error."""
        score = evaluate(self.trainer.game, self.trainer.average, self.opponent, EVALUATION_DEALS)
        self._evaluated_at = self.trainer.seconds
        return {"opponent": self.opponent, "win_share": round(score.value, 4), "win_share_error": round(score.error, 4)}

    def close(self) -> None:
        """Finish the log of TensorBoard, and leave the group of processes."""
        if self._board is not None:
            self._board.close()
        self.trainer.processes.close()

    # The log ----------------------------------------------------------------------------------------------

    def _log(self, line: Line) -> None:
        append_line(self.folder / LOG, line)
        if self._board is not None:
            for name, value in line.items():
                if isinstance(value, int | float) and name != "steps":
                    self._board.add_scalar(name, value, self.trainer.steps)

    def _forget_lines_after(self, steps: int) -> None:
        """Lines that a killed process wrote after its last checkpoint are about steps that will be made again."""
        path = self.folder / LOG
        if path.exists():
            write_log(path, [line for line in read_log(path) if line["steps"] <= steps])

    def _tensorboard(self) -> Any:
        """A writer, if the package is installed."""
        if find_spec("tensorboard") is None:
            return None
        from torch.utils.tensorboard import SummaryWriter

        return SummaryWriter(str(self.folder / "tensorboard"), purge_step=self.trainer.steps + 1)
