"""Fits the network to rows of states, and asks it of others. Seeded."""
import os

# One thread a network: small batches gain nothing from more.
os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")

import jax
import numpy as np
import optax

from network import initial, logits
from states import LONGEST

CONFIG = {
    "inputs": 256, "width": 64, "heads": 4, "key": 16, "hidden": 32,
    "drop": 0.3, "drop_input": 0.15, "rate": 2e-3, "decay": 0.1, "epochs": 8, "rows": 64,
    "whole": 0.15,  # of the rows, those in which the whole sentence is the target
}  # fmt: skip
LENGTHS = [36, 64, 128, LONGEST]  # texts are padded to one of these


def view_of(states, size):
    """The strongest directions of standardised states, those of the weaker half less than the others: (weights, bias)."""
    sample = np.asarray(states[::29], np.float32)
    mean, deviation = sample.mean(0), np.maximum(sample.std(0), 0.01)
    scaled = (sample - mean) / deviation
    values, vectors = np.linalg.eigh(scaled.T @ scaled / len(scaled))
    values, vectors = values[::-1][:size], vectors[:, ::-1][:, :size]
    weights = vectors / np.sqrt(values) * np.minimum(1, np.sqrt(values / values[size // 2])) / deviation[:, None]
    return weights, -mean @ weights


def viewed(states, view):
    weights, bias = view
    table = np.zeros((len(states), CONFIG["inputs"]), np.float32)
    for at in range(0, len(states), 20_000):
        part = states[at : at + 20_000].astype(np.float32)
        table[at : at + len(part)] = part @ weights + bias
    return table


class Trainer:
    """`sets` are lists of rows, each with the states of its texts; all calls name rows by their place in all of them."""

    def __init__(self, sets, view):
        jax.config.update("jax_default_prng_impl", "rbg")
        self.targets, self.first, self.lengths, tables, at = [], [], [], [], 0
        for rows, states in sets:
            self.targets += [states.target(row) for row in rows]
            self.first += [at + states.places[row.text][0] for row in rows]
            self.lengths += [states.places[row.text][1] for row in rows]
            tables.append(viewed(states.all, view))
            at += len(tables[-1])
        self.first, self.lengths = np.array(self.first), np.array(self.lengths)
        # Inputs of the network, float32[positions + 1, inputs]; the last row is for padding.
        self.table = np.concatenate([*tables, np.zeros((1, CONFIG["inputs"]), np.float32)])
        self.step = jax.jit(self.stepped)
        self.answer = jax.jit(lambda params, batch: logits(params, CONFIG, batch))
        self.optimiser = optax.chain(
            optax.clip_by_global_norm(1.0), optax.scale_by_adam(), optax.add_decayed_weights(CONFIG["decay"])
        )

    def batches(self, rows, shuffle):
        """Rows of about one length together, each batch full: the last one of a prediction repeats a row."""
        found, low, size = [], 0, CONFIG["rows"]
        for length in LENGTHS:
            group = rows[(self.lengths[rows] > low) & (self.lengths[rows] <= length)]
            low = length
            group = group if shuffle is None else shuffle.permutation(group)
            for at in range(0, len(group), size):
                batch = group[at : at + size]
                if len(batch) == size or shuffle is None:
                    found.append((np.pad(batch, (0, size - len(batch)), mode="edge"), length))
        return found if shuffle is None else [found[i] for i in shuffle.permutation(len(found))]

    def batch(self, rows, length, whole):
        """`whole`: which rows have all of their sentence as target; those whose target has no place, in any case."""
        inside = np.arange(length) < self.lengths[rows][:, None]
        places = np.where(inside, self.first[rows][:, None] + np.arange(length), len(self.table) - 1)
        targets = np.zeros((len(rows), length), np.uint8)
        for i, row in enumerate(rows):
            targets[i, slice(0, self.lengths[row]) if whole[i] or not self.targets[row] else self.targets[row]] = 1
        return self.table[places], self.lengths[rows].astype(np.int32), targets

    def stepped(self, params, state, batch, aims, key, rate):
        def loss(params):
            return optax.softmax_cross_entropy(logits(params, CONFIG, batch, key), aims).sum() / aims.sum()

        updates, state = self.optimiser.update(jax.grad(loss)(params), state, params)
        return jax.tree.map(lambda value, update: value - rate * update, params, updates), state

    def fit(self, rows, aims, hidden=CONFIG["hidden"], seed=0):
        """
        `aims`: float32[all rows, 2, 3], how much each class is right where the target is asked for, and where the whole
        sentence is; their sum is the row's weight.
        """
        shuffle, key = np.random.default_rng(seed), jax.random.PRNGKey(seed)
        params = initial({**CONFIG, "hidden": hidden}, CONFIG["inputs"], key)
        state = self.optimiser.init(params)
        steps, done = CONFIG["epochs"] * len(self.batches(rows, shuffle)), 0
        for _ in range(CONFIG["epochs"]):
            for batch, length in self.batches(rows, shuffle):
                key, drop = jax.random.split(key)
                warm = min(1, done / (0.07 * steps) + 0.01)
                rate = np.float32(CONFIG["rate"] * warm * 0.5 * (1 + np.cos(np.pi * min(1, done / steps))))
                whole = shuffle.random(len(batch)) < CONFIG["whole"]
                inputs = self.batch(batch, length, whole)
                params, state = self.step(params, state, inputs, aims[batch, whole.astype(int)], drop, rate)
                done += 1
        return jax.tree.map(np.asarray, params)

    def predict(self, params, rows, whole=False):
        """Logits, float64[rows, 3]."""
        answers = np.zeros((len(self.targets), 3))
        for batch, length in self.batches(rows, None):
            answers[batch] = self.answer(params, self.batch(batch, length, [whole] * len(batch)))
        return answers[rows]
