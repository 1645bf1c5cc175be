"""The VecEnv of Stable-Baselines3 plays the games of Gymnasium's vector."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.vec_env import VecMonitor

import tilewright as tw
from tilewright.envs.gymnasium_vector import TilewrightVectorEnv
from tilewright.envs.stable_baselines3 import TilewrightVecEnv


def test_it_steps_as_gymnasium_does():
    env, twin = TilewrightVecEnv("azul", 8, reward="score"), TilewrightVectorEnv("azul", 8, reward="score")
    env.seed(7)
    observations, (expected, infos) = env.reset(), twin.reset(seed=7)
    ends = 0
    for _ in range(80):
        assert np.array_equal(observations, expected)
        assert np.array_equal(get_action_masks(env), infos["action_mask"])
        actions = infos["action_mask"].argmax(axis=1)
        observations, rewards, dones, told = env.step(actions)
        expected, twin_rewards, ended, _, infos = twin.step(actions)
        assert np.array_equal(rewards, twin_rewards)
        assert np.array_equal(dones, ended)
        for i in np.flatnonzero(ended):
            ends += 1
            assert np.array_equal(told[i]["terminal_observation"], infos["final_obs"][i])
            assert np.array_equal(told[i]["scores"], infos["final_info"]["scores"][i])
    assert ends > 4
    env.close()


def test_without_a_seed_games_are_random():
    first, second = TilewrightVecEnv("azul", 4).reset(), TilewrightVecEnv("azul", 4).reset()
    assert not np.array_equal(first, second)


def test_maskable_ppo_learns_from_it():
    torch.set_num_threads(1)
    env = VecMonitor(TilewrightVecEnv("azul", 16, opponent="random"))
    assert is_masking_supported(env)
    model = MaskablePPO("MlpPolicy", env, n_steps=32, batch_size=128, n_epochs=1, seed=1, device="cpu")
    model.learn(1024)
    assert model.num_timesteps == 1024
    assert len(model.ep_info_buffer) > 0
    masks = get_action_masks(env)
    actions, _ = model.predict(env.reset(), action_masks=masks)
    assert masks[np.arange(16), actions].all()


def test_what_it_refuses():
    with pytest.raises(tw.BadOption, match="one autoreset mode only"):
        TilewrightVecEnv("azul", 2, autoreset_mode="NEXT_STEP")
    with pytest.raises(tw.BadOption, match="opponents cannot be set"):
        TilewrightVecEnv("azul", 2).set_attr("opponents", None)
