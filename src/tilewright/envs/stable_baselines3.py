"""Stable-Baselines3: its ``VecEnv`` over many games that are stepped together in compiled code.

>>> import tilewright as tw
>>> env = TilewrightVecEnv(next(iter(tw.GAMES)), num_envs=100, opponent="random")
>>> observations = env.reset()
>>> masks = np.stack(env.env_method("action_masks"))
>>> observations, rewards, dones, infos = env.step(masks.argmax(axis=1))
>>> observations.shape == (100, *env.observation_space.shape), len(infos)
(True, 100)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tilewright.game.errors import BadOption

try:
    from stable_baselines3.common.vec_env import VecEnv

    from tilewright.envs.gymnasium_vector import TilewrightVectorEnv
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f'tilewright.envs.stable_baselines3 needs the package {error.name}: pip install "tilewright[rl,train]"',
        name=error.name,
    ) from error

Indices = int | Iterable[int] | None


class TilewrightVecEnv(VecEnv):
    """Many games with one agent in each, for PPO, DQN and the other algorithms, and for MaskablePPO of sb3-contrib.

    The options are those of the Gymnasium environment. A game that ends is reset in the same step; its last observation
    is ``infos[i]["terminal_observation"]``, and ``infos[i]["scores"]`` has the final scores.
    """

    def __init__(self, game: str, num_envs: int = 1, players: int | None = None, **options: Any) -> None:
        if "autoreset_mode" in options:
            raise BadOption("Stable-Baselines3 has one autoreset mode only: games are reset in the same step")
        self.envs = TilewrightVectorEnv(game, num_envs, players, **options)
        self._actions: NDArray[np.int64] = np.zeros(num_envs, np.int64)
        self.render_mode = self.envs.render_mode
        super().__init__(num_envs, self.envs.single_observation_space, self.envs.single_action_space)

    def reset(self) -> NDArray[np.float32]:
        """Begin new games; those of ``seed(n)`` if it was called, or else random ones."""
        observations, _ = self.envs.reset(seed=self._seeds[0])
        self._reset_seeds()
        self._reset_options()
        return observations

    def step_async(self, actions: NDArray[Any]) -> None:
        """Take the actions of the next step."""
        self._actions = actions

    def step_wait(self) -> Any:
        """Play them."""
        observations, rewards, ended, _, told = self.envs.step(self._actions)
        infos: list[dict[str, Any]] = [{"TimeLimit.truncated": False} for _ in range(self.num_envs)]
        for i in np.flatnonzero(ended).tolist():
            infos[i]["terminal_observation"] = told["final_obs"][i]
            infos[i]["scores"] = told["final_info"]["scores"][i]
        return observations, rewards.astype(np.float32), ended, infos

    def close(self) -> None:
        """Close the opponents, which may be separate programs."""
        self.envs.close()

    # The interface addresses single environments, which do not exist here -----------------------------------

    def get_attr(self, attr_name: str, indices: Indices = None) -> list[Any]:
        """An attribute of the vector, once for each game asked for."""
        return [getattr(self.envs, attr_name)] * len(self._chosen(indices))

    def set_attr(self, attr_name: str, value: Any, indices: Indices = None) -> None:
        """Refused: all games share their attributes."""
        raise BadOption(f"{attr_name} cannot be set: make another environment with the options you want")

    def env_method(self, method_name: str, *args: Any, indices: Indices = None, **kwargs: Any) -> list[Any]:
        """The results of a method of the vector that returns something for each game, such as ``action_masks``."""
        results = getattr(self.envs, method_name)(*args, **kwargs)
        return [results[i] for i in self._chosen(indices)]

    def env_is_wrapped(self, wrapper_class: type[Any], indices: Indices = None) -> list[bool]:
        """No game is wrapped."""
        return [False] * len(self._chosen(indices))

    def get_images(self) -> Sequence[NDArray[np.uint8] | None]:
        """The pictures of all games, in the mode ``rgb_array``."""
        return self.envs.render() or ()

    def _chosen(self, indices: Indices) -> list[int]:
        return list(self._get_indices(indices))
