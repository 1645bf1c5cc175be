"""Run every library of docs/adapters.md that is installed here, and print the table of that page.

``python tools/check_adapters.py`` tries all, ``python tools/check_adapters.py torchrl rllib`` these two. Libraries need
versions of their dependencies that do not go together, so give each a virtual environment of its own:

    python -m venv /tmp/torchrl && /tmp/torchrl/bin/pip install "tilewright[rl]" torchrl
    /tmp/torchrl/bin/python tools/check_adapters.py torchrl

A step is one decision of an agent, and the last column counts them per second of CPU time, with the work of the library
and, where it learns, of its network. The exit code is 1 if a library is installed and does not work.
"""

from __future__ import annotations

import os
import sys
import traceback
import warnings
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from time import process_time
from typing import Any, NamedTuple

import numpy as np

STEPS = 200
GAMES = 64
"""How many games the vectors play at once."""


class Run(NamedTuple):
    """What was run with a library, and how many steps it made per second."""

    told: str
    pace: float


def pace(steps: int, play: Callable[[], Any]) -> float:
    """Steps per second of CPU time."""
    begun = process_time()
    play()
    return steps / (process_time() - begun)


def check_gymnasium() -> Run:
    """The checker, and a vector in each autoreset mode with Gymnasium's wrappers."""
    import gymnasium
    from gymnasium.utils.env_checker import check_env
    from gymnasium.wrappers.vector import NormalizeObservation, RecordEpisodeStatistics

    check_env(gymnasium.make("tilewright.envs:tilewright/Azul-v0").unwrapped, skip_render_check=True)

    def play(envs: Any) -> None:
        _, infos = envs.reset(seed=1)
        for _ in range(STEPS):
            _, _, _, _, infos = envs.step(infos["action_mask"].argmax(axis=1))

    play(RecordEpisodeStatistics(gymnasium.make_vec("tilewright/Azul-v0", num_envs=GAMES, autoreset_mode="SAME_STEP")))
    envs = gymnasium.make_vec("tilewright/Azul-v0", num_envs=GAMES, autoreset_mode="NEXT_STEP")
    reached = pace(STEPS * GAMES, lambda: play(NormalizeObservation(RecordEpisodeStatistics(envs))))
    return Run(f"check_env; vectors of {GAMES} games in the modes SAME_STEP and NEXT_STEP, with wrappers", reached)


def check_pettingzoo() -> Run:
    """PettingZoo's own test, and the loop of its documentation."""
    import pettingzoo
    from pettingzoo.test import api_test

    import tilewright.envs  # noqa: F401  # registers the ids

    env = pettingzoo.make("aec", "tilewright/azul-v0")
    api_test(env, num_cycles=STEPS)

    def play() -> None:
        env.reset(seed=1)
        for _ in range(10 * STEPS):
            observation, _, terminated, _, _ = env.last()
            if terminated:
                env.reset()
            else:
                env.step(int(observation["action_mask"].argmax()))

    return Run("api_test; an agent in every seat", pace(10 * STEPS, play))


def check_stable_baselines3() -> Run:
    """MaskablePPO learns from the VecEnv."""
    from sb3_contrib import MaskablePPO

    from tilewright.envs.stable_baselines3 import TilewrightVecEnv

    env = TilewrightVecEnv("azul", 16, opponent=["random", "greedy"])
    model = MaskablePPO("MlpPolicy", env, n_steps=32, batch_size=128, n_epochs=1, device="cpu")
    reached = pace(1024, lambda: model.learn(1024))
    return Run(f"MaskablePPO learns on TilewrightVecEnv for {model.num_timesteps} steps", reached)


def check_torchrl() -> Run:
    """Rollouts with random legal moves, in every seat and against bots, one game and many."""
    import gymnasium
    import pettingzoo
    import torch
    from torchrl.data import Composite, Unbounded
    from torchrl.envs import ActionMask, TransformedEnv
    from torchrl.envs.libs.gym import GymWrapper, default_info_dict_reader
    from torchrl.envs.libs.pettingzoo import PettingZooWrapper
    from torchrl.envs.utils import check_env_specs

    import tilewright.envs  # noqa: F401  # registers the ids

    env = PettingZooWrapper(pettingzoo.make("aec", "tilewright/azul-v0"), use_mask=True)
    check_env_specs(env)
    env.rollout(STEPS, break_when_any_done=False)
    for envs in (gymnasium.make("tilewright/Azul-v0"), gymnasium.make_vec("tilewright/Azul-v0", num_envs=GAMES)):
        wrapped = GymWrapper(envs)
        mask = Unbounded((*wrapped.batch_size, wrapped.action_spec.space.n), dtype=torch.int8)
        wrapped.set_info_dict_reader(default_info_dict_reader(["action_mask"], spec=Composite(action_mask=mask)))
        masked = TransformedEnv(wrapped, ActionMask())
        assert masked.rollout(STEPS, break_when_any_done=False)["next", "reward"].shape[-2] == STEPS
    reached = pace(STEPS * GAMES, lambda: masked.rollout(STEPS, break_when_any_done=False))
    return Run(f"PettingZooWrapper with masks; GymWrapper and ActionMask, one game and a vector of {GAMES}", reached)


def check_rllib() -> Run:
    """PPO with an action mask learns against bots, and a multi-agent environment is stepped."""
    import gymnasium
    import pettingzoo
    from gymnasium import spaces
    from ray.rllib.algorithms.ppo import PPOConfig
    from ray.rllib.core.rl_module.rl_module import RLModuleSpec
    from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv
    from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule

    import tilewright.envs  # noqa: F401  # registers the ids

    class MaskedEnv(gymnasium.Wrapper):
        """RLlib's module reads the mask from the observation."""

        def __init__(self, config: Any) -> None:
            super().__init__(gymnasium.make("tilewright.envs:tilewright/Azul-v0", **config))
            mask = spaces.Box(0, 1, (self.action_space.n,), np.float32)
            self.observation_space = spaces.Dict({"action_mask": mask, "observations": self.env.observation_space})

        def reset(self, **options: Any) -> Any:
            observation, info = self.env.reset(**options)
            return self._with_mask(observation, info), {}

        def step(self, action: Any) -> Any:
            observation, reward, terminated, truncated, info = self.env.step(action)
            return self._with_mask(observation, info), reward, terminated, truncated, {}

        def _with_mask(self, observation: Any, info: Any) -> Any:
            return {"action_mask": info["action_mask"].astype(np.float32), "observations": observation}

    env = PettingZooEnv(pettingzoo.make("aec", "tilewright/azul-v0"))
    observations, _ = env.reset(seed=1)
    for _ in range(20):
        (agent, seen), *_ = observations.items()
        observations, *_ = env.step({agent: int(seen["action_mask"].argmax())})
    module = RLModuleSpec(module_class=ActionMaskingTorchRLModule, model_config={"head_fcnet_hiddens": [64]})
    config = (
        PPOConfig()
        .environment(MaskedEnv, env_config={"opponent": "random"})
        .env_runners(num_env_runners=0)
        .training(train_batch_size_per_learner=256, minibatch_size=128, num_epochs=1)
        .rl_module(rl_module_spec=module)
    )
    algorithm = config.build_algo()
    begun = process_time()
    result = algorithm.train()
    seconds = process_time() - begun
    algorithm.stop()
    steps = int(result["env_runners"]["num_env_steps_sampled"])
    return Run(f"PettingZooEnv; PPO with ActionMaskingTorchRLModule learns for {steps} steps", steps / seconds)


def check_tianshou() -> Run:
    """A DQN learns in one seat while random moves are played in the other."""
    import pettingzoo
    import torch
    from tianshou.algorithm import DQN
    from tianshou.algorithm.algorithm_base import policy_within_training_step
    from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
    from tianshou.algorithm.multiagent.marl import MultiAgentOffPolicyAlgorithm
    from tianshou.algorithm.optim import AdamOptimizerFactory
    from tianshou.algorithm.random import MARLRandomDiscreteMaskedOffPolicyAlgorithm
    from tianshou.data import Collector, VectorReplayBuffer
    from tianshou.env import DummyVectorEnv
    from tianshou.env.pettingzoo_env import PettingZooEnv
    from tianshou.utils.net.common import Net

    import tilewright.envs  # noqa: F401  # registers the ids

    def make() -> PettingZooEnv:
        return PettingZooEnv(pettingzoo.make("aec", "tilewright/azul-v0"))

    torch.manual_seed(1)
    env = make()
    space, actions = env.observation_space["observation"], env.action_space
    policy = DiscreteQLearningPolicy(
        model=Net(state_shape=space.shape, action_shape=actions.n, hidden_sizes=[64]),
        action_space=actions,
        observation_space=space,
        eps_training=0.1,
    )
    learner = DQN(policy=policy, optim=AdamOptimizerFactory(lr=1e-3), target_update_freq=100)
    other = MARLRandomDiscreteMaskedOffPolicyAlgorithm(actions)
    algorithm = MultiAgentOffPolicyAlgorithm(algorithms=[learner, other], env=env)
    envs = DummyVectorEnv([make] * 2)
    collector = Collector(algorithm, envs, VectorReplayBuffer(2_000, 2), exploration_noise=True)
    collector.reset()
    with torch.no_grad():
        reached = pace(400, lambda: collector.collect(n_step=400))
    with policy_within_training_step(algorithm.policy):
        algorithm.update(buffer=collector.buffer, sample_size=64)
    return Run("PettingZooEnv: DQN against random moves, 400 steps", reached)


def check_pufferlib() -> Run:
    """PufferLib's emulation of Gymnasium environments, in a serial vector."""
    import gymnasium
    import pufferlib.emulation
    import pufferlib.vector

    def make(buf: Any = None, seed: int = 0, **_: Any) -> Any:
        creator = lambda: gymnasium.make("tilewright.envs:tilewright/Azul-v0")  # noqa: E731
        return pufferlib.emulation.GymnasiumPufferEnv(env_creator=creator, buf=buf, seed=seed)

    envs = pufferlib.vector.make(make, num_envs=4, backend=pufferlib.vector.Serial)
    envs.reset(seed=1)
    reached = pace(4 * STEPS, lambda: [envs.step(envs.action_space.sample()) for _ in range(STEPS)])
    envs.close()
    return Run("GymnasiumPufferEnv in a Serial vector, 4 games", reached)


def check_cleanrl() -> Run:
    """CleanRL is a style rather than a package: one file, ``gymnasium.vector``, ``SAME_STEP`` or ``NEXT_STEP``."""
    import gymnasium
    import torch
    from torch import nn
    from torch.distributions import Categorical

    import tilewright.envs  # noqa: F401  # registers the ids

    envs = gymnasium.make_vec("tilewright/Azul-v0", num_envs=16, autoreset_mode="NEXT_STEP")
    envs = gymnasium.wrappers.vector.RecordEpisodeStatistics(envs)
    size, actions = envs.single_observation_space.shape[0], envs.single_action_space.n
    policy = nn.Sequential(nn.Linear(size, 64), nn.Tanh(), nn.Linear(64, actions))
    optimiser, episodes = torch.optim.Adam(policy.parameters(), 1e-3), 0
    observations, infos = envs.reset(seed=1)
    begun = process_time()
    for _ in range(4):
        log_probs, rewards = [], []
        for _ in range(64):
            logits = policy(torch.from_numpy(observations))
            logits = logits.masked_fill(torch.from_numpy(infos["action_mask"]) == 0, -1e9)
            chosen = Categorical(logits=logits)
            moves = chosen.sample()
            observations, reward, _, _, infos = envs.step(moves.numpy())
            episodes += int(np.sum(infos.get("_episode", 0)))
            log_probs.append(chosen.log_prob(moves))
            rewards.append(torch.from_numpy(reward))
        returns = torch.stack(rewards).flip(0).cumsum(0).flip(0)
        loss = -(torch.stack(log_probs) * returns).mean()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    assert episodes, "no game ended"
    told = "a single-file policy gradient on Gymnasium's vectors; the version is that of torch"
    return Run(told, 4 * 64 * 16 / (process_time() - begun))


CHECKS: dict[str, tuple[str, Callable[[], Run]]] = {
    "gymnasium": ("gymnasium", check_gymnasium),
    "pettingzoo": ("pettingzoo", check_pettingzoo),
    "stable-baselines3": ("stable-baselines3", check_stable_baselines3),
    "torchrl": ("torchrl", check_torchrl),
    "rllib": ("ray", check_rllib),
    "tianshou": ("tianshou", check_tianshou),
    "pufferlib": ("pufferlib", check_pufferlib),
    "cleanrl": ("torch", check_cleanrl),
}
"""By name: the package whose version counts, and the check."""


def main(names: list[str]) -> int:
    """Print a table of what was run; 1 if anything that is installed failed."""
    unknown = set(names) - set(CHECKS)
    if unknown:
        sys.exit(f"there is no check for {', '.join(sorted(unknown))}; there are {', '.join(CHECKS)}")
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # PyTorch's threads would wait for each other and count as work
    failed = 0
    print("| library | version | what was run | steps/s |\n|---|---|---|---|")
    for name in names or CHECKS:
        package, check = CHECKS[name]
        try:
            installed = version(package)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of other packages
                told, reached = check()
        except (PackageNotFoundError, ModuleNotFoundError) as missing:
            installed, told, reached = "not installed", f"needs {missing.name}", 0.0
        except Exception:
            failed, told, reached = 1, "failed", 0.0
            traceback.print_exc()
        print(f"| {name} | {installed} | {told} | {f'{reached:,.0f}' if reached else ''} |", flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
