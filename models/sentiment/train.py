"""
Trains the network that reads inner states, and writes `targeted.bin.gz`. Seeded; steps already done are kept in WORK.
Usage: python models/sentiment/train.py LABELLED MODEL WORK [OUT], folders; see README.md.
"""
import os
import pickle
import sys

os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")

import jax
import numpy as np
import optax

from calibrate import calibrated, report
from corpus import FOLDS, corpus
from export import write
from network import initial, logits
from states import States

CONFIG = {
    "inputs": 256, "width": 64, "heads": 4, "key": 16, "hidden": 64,
    "drop": 0.3, "drop_input": 0.15, "rate": 2e-3, "decay": 0.1, "epochs": 8, "rows": 64,
    "whole": 0.15,  # of the rows, those in which the whole sentence is the target
    "balance": 0.7,  # power of the classes' inverse frequency
    "seed": 0,
}  # fmt: skip
LENGTHS = [36, 64, 128]  # windows are padded to one of these
HELD = [0]  # folds: a network that has not seen them is measured and calibrated on them


def view_of(states, size):
    """The strongest directions of standardised states, those of the weaker half less than the others: (weights, bias)."""
    sample = np.asarray(states[::29], np.float32)
    mean, deviation = sample.mean(0), np.maximum(sample.std(0), 0.01)
    scaled = (sample - mean) / deviation
    values, vectors = np.linalg.eigh(scaled.T @ scaled / len(scaled))
    values, vectors = values[::-1][:size], vectors[:, ::-1][:, :size]
    weights = vectors / np.sqrt(values) * np.minimum(1, np.sqrt(values / values[size // 2])) / deviation[:, None]
    return weights, -mean @ weights


class Trainer:
    def __init__(self, rows, states, work):
        self.rows, self.states = rows, states
        self.labels = np.array([row.label for row in rows])
        self.targets = [states.target(row) for row in rows]
        self.first, self.lengths = np.array([states.places[row.text][:2] for row in rows]).T
        self.view = kept(f"{work}/view.pkl", lambda: view_of(states.all, CONFIG["inputs"]))
        self.table = kept(f"{work}/table.pkl", self.viewed)
        self.step = jax.jit(self.stepped)
        self.answer = jax.jit(lambda params, batch: logits(params, CONFIG, batch))
        self.optimiser = optax.chain(
            optax.clip_by_global_norm(1.0), optax.scale_by_adam(), optax.add_decayed_weights(CONFIG["decay"])
        )

    def viewed(self):
        """Inputs of the network, float32[positions + 1, inputs]; the last row is for padding."""
        weights, bias = self.view
        table = np.zeros((len(self.states.all) + 1, CONFIG["inputs"]), np.float32)
        for at in range(0, len(self.states.all), 20_000):
            part = self.states.all[at : at + 20_000].astype(np.float32)
            table[at : at + len(part)] = part @ weights + bias
        return table

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

    def batch(self, rows, length, shuffle):
        inside = np.arange(length) < self.lengths[rows][:, None]
        places = np.where(inside, self.first[rows][:, None] + np.arange(length), len(self.table) - 1)
        targets = np.zeros((len(rows), length), np.uint8)
        for i, row in enumerate(rows):
            whole = not self.targets[row] or (shuffle is not None and shuffle.random() < CONFIG["whole"])
            targets[i, slice(0, self.lengths[row]) if whole else self.targets[row]] = 1
        return self.table[places], self.lengths[rows].astype(np.int32), targets

    def stepped(self, params, state, batch, labels, weights, key, rate):
        def loss(params):
            losses = optax.softmax_cross_entropy(logits(params, CONFIG, batch, key), jax.nn.one_hot(labels, 3))
            return (losses * weights).sum() / weights.sum()

        updates, state = self.optimiser.update(jax.grad(loss)(params), state, params)
        return jax.tree.map(lambda value, update: value - rate * update, params, updates), state

    def fit(self, rows):
        shuffle, key = np.random.default_rng(CONFIG["seed"]), jax.random.PRNGKey(CONFIG["seed"])
        params = initial(CONFIG, CONFIG["inputs"], key)
        state = self.optimiser.init(params)
        counts = np.bincount(self.labels[rows], minlength=3)
        balance = ((counts.sum() / (3 * counts)) ** CONFIG["balance"]).astype(np.float32)
        steps, done = CONFIG["epochs"] * len(self.batches(rows, shuffle)), 0
        for epoch in range(CONFIG["epochs"]):
            for batch, length in self.batches(rows, shuffle):
                key, drop = jax.random.split(key)
                warm = min(1, done / (0.07 * steps) + 0.01)
                rate = np.float32(CONFIG["rate"] * warm * 0.5 * (1 + np.cos(np.pi * min(1, done / steps))))
                labels = self.labels[batch]
                inputs = self.batch(batch, length, shuffle)
                params, state = self.step(params, state, inputs, labels, balance[labels], drop, rate)
                done += 1
            print(f"epoch {epoch + 1} of {CONFIG['epochs']}", flush=True)
        return jax.tree.map(np.asarray, params)

    def predict(self, params, rows):
        answers = np.zeros((len(self.rows), 3))
        for batch, length in self.batches(rows, None):
            answers[batch] = self.answer(params, self.batch(batch, length, None))
        return answers[rows]


def kept(path, make):
    if not os.path.exists(path):
        made = make()
        with open(path, "wb") as file:
            pickle.dump(made, file, protocol=5)
    with open(path, "rb") as file:
        return pickle.load(file)


def main(labelled, model, work, out):
    jax.config.update("jax_default_prng_impl", "rbg")
    rows = corpus(labelled)
    states = States(list(dict.fromkeys(row.text for row in rows)), model, work)
    trainer = Trainer(rows, states, work)
    parts, folds = np.array([row.part for row in rows]), np.array([row.fold for row in rows])

    def held_out(fold):
        params = trainer.fit(np.flatnonzero((parts != "dev") & (folds != fold)))
        return trainer.predict(params, np.flatnonzero((parts != "dev") & (folds == fold)))

    held = [kept(f"{work}/fold-{fold}.pkl", lambda fold=fold: held_out(fold)) for fold in HELD]
    known = np.concatenate([np.flatnonzero((parts != "dev") & (folds == fold)) for fold in HELD])
    calibration = calibrated(np.concatenate(held), trainer.labels[known], parts[known])
    report(calibration, np.concatenate(held), trainer.labels[known], parts[known])

    params = kept(f"{work}/network.pkl", lambda: trainer.fit(np.flatnonzero(parts != "dev")))
    dev = np.flatnonzero(parts == "dev")
    report(calibration, trainer.predict(params, dev), trainer.labels[dev], parts[dev])
    write(out, trainer.view, params, calibration)


if __name__ == "__main__":
    folders = sys.argv[1:4]
    main(*folders, sys.argv[4] if len(sys.argv) > 4 else f"{os.path.dirname(__file__)}/targeted.bin.gz")
