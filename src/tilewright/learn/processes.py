"""Data-parallel training: ``torchrun`` starts a process for each GPU, and together they train one network.

Every process plays its own games and samples its own batches. All begin with the same weights, and gradients are
averaged before each update, so the weights stay the same. The first process keeps the time, writes the log and saves
checkpoints.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

import torch
from torch import distributed, nn

from tilewright.game.errors import BadOption


def check_device(device: str) -> None:
    """Say what is missing before anything is made for a GPU that PyTorch cannot use."""
    if device == "cuda" and not torch.cuda.is_available():
        lacks = "no NVIDIA GPU with its driver was found" if torch.version.cuda else "it is built without CUDA"
        told = f"PyTorch {torch.__version__} cannot use a GPU: {lacks}"
        raise BadOption(f"{told}; --device cpu trains without one, slowly")


class Processes:
    """The processes of a run. Without ``torchrun`` there is one, and nothing is exchanged."""

    def __init__(self, device: str) -> None:
        self.device = device
        self.rank, self.count = int(os.environ.get("RANK", "0")), int(os.environ.get("WORLD_SIZE", "1"))
        if self.count > 1 and not distributed.is_initialized():
            if device == "cuda":
                self._select_gpu(int(os.environ["LOCAL_RANK"]))
            distributed.init_process_group("nccl" if device == "cuda" else "gloo")

    def _select_gpu(self, number: int) -> None:
        from tilewright.kernels.cuda import cuda_module

        torch.cuda.set_device(number)
        cuda_module().select_device(number)

    @property
    def is_first(self) -> bool:
        """Whether this process keeps the time, logs and saves."""
        return self.rank == 0

    def average_gradients(self, parameters: Iterable[nn.Parameter]) -> None:
        """Replace gradients by their mean over all processes, in one message."""
        if self.count > 1:
            gradients = [parameter.grad for parameter in parameters if parameter.grad is not None]
            flat = torch.cat([gradient.ravel() for gradient in gradients])
            distributed.all_reduce(flat)
            flat /= self.count
            for gradient, mean in zip(gradients, torch.split(flat, [one.numel() for one in gradients]), strict=True):
                gradient.copy_(mean.view_as(gradient))

    def from_first(self, *numbers: float) -> list[float]:
        """The numbers of the first process."""
        if self.count == 1:
            return list(numbers)
        shared = torch.tensor(numbers, dtype=torch.float64, device=self.device)
        distributed.broadcast(shared, 0)
        found: list[float] = shared.tolist()
        return found

    def total(self, values: torch.Tensor) -> torch.Tensor:
        """The sum of a tensor over all processes."""
        if self.count > 1:
            distributed.all_reduce(values)
        return values

    def close(self) -> None:
        """Leave the group; a process that is alone has none."""
        if self.count > 1 and distributed.is_initialized():
            distributed.destroy_process_group()
