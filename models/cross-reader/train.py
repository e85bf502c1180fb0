"""Trains the reader of all languages: `python train.py --help`. Made for one GPU; ten minutes there."""

import argparse
import json
import multiprocessing
import pickle
import sys
import time
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import optax

import layers

sys.path.insert(0, str(Path(__file__).parent.parent / "ner"))
import data  # noqa: E402
import model  # noqa: E402
from predict import legal_moves, viterbi  # noqa: E402

# Sets with gold tags, and how often each is read in an epoch.
GOLD = {
    "train-pt-bosque": 1, "train-hr-set": 1, "train-sr-set": 1, "train-da-ddt": 2, "train-sv-talbanken": 1, "train-sv-webbnyheter": 1,
    "train-sk-snk": 2, "train-zh-gsdsimp": 2, "train-fi-turku": 1, "wikigold": 2, "uner-ewt": 2, "crossner-politics": 2,
    "wnut17-train": 1, "broad-twitter-corpus": 1, "allsides": 1,
}  # fmt: skip
EVERY = {**dict.fromkeys(GOLD, 1), "ntrex": 1, "snippets": 1}


def options():
    p = argparse.ArgumentParser()
    p.add_argument("--packed", required=True, help="what pack.py wrote")
    p.add_argument("--out", required=True, help="folder")
    p.add_argument("--teachers", type=int, default=2)
    p.add_argument("--teacher-seconds", type=float, default=100)
    p.add_argument("--student-seconds", type=float, default=120)
    p.add_argument("--students", nargs="+", default=["0,1,2,3"], help="layers of the encoder that each begins with")
    p.add_argument("--steps", type=int, default=10_000, help="of a network at most, within its seconds")
    p.add_argument("--packings", type=int, default=3, help="ways in which sentences share rows")
    p.add_argument("--rows", type=int, default=64)
    p.add_argument("--rate", type=float, default=4e-4)
    p.add_argument("--teacher-rate", type=float, default=1e-4)
    p.add_argument("--limit", type=int, help="sentences of a set, for a trial")
    return p.parse_args()


def corpus_of(packed, name, limit):
    starts, tags = packed[f"{name}.starts"].astype(np.int64), packed[f"{name}.tags"]
    pieces = packed[f"{name}.piece_starts"].astype(np.int64)
    articles = packed[f"{name}.articles"][:limit]
    return data.Corpus(articles, starts[: len(articles) + 1], tags, pieces, packed[f"{name}.pieces"], np.zeros((len(tags), 0), np.float32))


def filled(corpora, rows):
    """`data.fill`, units (1: a unit's first piece) and the number of each piece's sentence, for whole sentences."""
    batch = data.fill(corpora, rows)
    del batch["features"]
    batch["units"] = np.zeros(batch["ids"].shape, np.int32)
    batch["sentences"] = np.zeros(batch["ids"].shape, np.int32)
    for r, row in enumerate(rows):
        at, n = 0, 0
        for c, a, b in row:
            corpus = corpora[c]
            starts, pieces = corpus.starts, corpus.piece_starts
            p, q = pieces[a], pieces[b]
            batch["units"][r, at + 1 + pieces[a:b] - p] = 1
            s = np.searchsorted(starts, a, "right") - 1
            while s < len(corpus.articles) and starts[s + 1] <= b and n < layers.SENTENCES:
                if starts[s] >= a:
                    n += 1
                    batch["sentences"][r, at + 1 + pieces[starts[s]] - p : at + 1 + pieces[starts[s + 1]] - p] = n
                s += 1
            at += int(q - p) + 2
    return {name: values.astype(np.int8 if name in ("segments", "tags", "units", "sentences") else np.int32) for name, values in batch.items()}


def scores_of(params, words, corpus, run):
    """Emissions of every unit, in windows as the service packs them."""
    found = np.zeros((len(corpus.tags), model.TAGS), np.float32)
    every = [[(0, a, b)] for a, b in data.windows(corpus, lambda _: data.WINDOW)]
    for i in range(0, len(every), 64):
        part = every[i : i + 64]
        batch = data.fill([corpus], part + part[:1] * (64 - len(part)))
        given = np.asarray(run(params, words, {k: batch[k] for k in ("ids", "segments", "positions")}))
        for r, [(_, a, b)] in enumerate(part):
            found[a:b] = given[r, 1 + corpus.piece_starts[a:b] - corpus.piece_starts[a]]
    return found


def spans(tags):
    found, start = set(), None
    for i, tag in enumerate([*tags, 0]):
        if start is not None and tag != (tags[start] + 1 if tags[start] % 2 else tags[start]):
            found.add((start, i, (tags[start] + 1) // 2))
            start = None
        if tag > 0 and start is None:
            start = i
    return found


def exact_f1(scores, corpus):
    moves, start = legal_moves()
    right = given = gold = 0
    for a, b in zip(corpus.starts[:-1], corpus.starts[1:]):
        own = scores[a:b].copy()
        own[:, 7:] = -1e9
        answer = spans(viterbi(own, moves, start)) if b > a else set()
        truth = spans([int(tag) for tag in corpus.tags[a:b]])
        right, given, gold = right + len(answer & truth), given + len(answer), gold + len(truth)
    return 2 * right / max(1, given + gold)


def joined(parts):
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def packed_rows(job):
    """All rows of one way to pack the sentences of corpora."""
    corpora, times, seed = job
    every = [corpora[name] for name, n in times.items() for _ in range(n)]
    rows = data.rows(every, np.random.default_rng(seed))
    return joined([filled(every, rows[i : i + 256]) for i in range(0, len(rows), 256)])


class Trainer:
    def __init__(self, args):
        packed = np.load(args.packed)
        used = packed["used"]
        data.CLS, data.SEP, data.MASK = (int(np.searchsorted(used, mark)) for mark in (0, 2, 250_001))
        self.args = args
        corpora = {name: corpus_of(packed, name, args.limit) for name in EVERY}
        self.dev = {
            name.split(".")[0]: corpus_of(packed, name.split(".")[0], args.limit)
            for name in packed.files
            if name.endswith(".starts") and (name.startswith("dev-") or name.startswith("conllpp"))
        }
        jobs = [(corpora, GOLD, 0)] + [(corpora, EVERY, seed) for seed in range(args.packings)]
        with multiprocessing.get_context("fork").Pool(len(jobs)) as pool:  # before anything runs on the GPU
            self.gold, *every = pool.map(packed_rows, jobs)
        self.every = joined(every)
        self.words = jnp.asarray(layers.dequantised(packed["rows"].tobytes(), layers.HIDDEN).astype(np.float16))
        self.encoder = layers.pretrained(packed)
        self.emissions = jax.jit(lambda p, w, b: model.affine(p["head"], layers.states(p, w, b)[-1]))
        say(f"{len(self.gold['ids'])} rows of gold, {len(self.every['ids'])} rows in all")

    def batches(self, n, rng):
        """Endless indexes of rows."""
        while True:
            order = rng.permutation(n)
            for i in range(0, n - self.args.rows + 1, self.args.rows):
                yield order[i : i + self.args.rows]

    def run(self, params, loss, seconds, rows, peak, seed):
        """`loss(params, words, batch, key)`; a batch is rows of `rows`. The rate falls with time."""
        adam = lambda rate: optax.chain(
            optax.scale_by_adam(),
            optax.add_decayed_weights(0.01, lambda p: jax.tree.map(lambda x: x.ndim > 1, p)),
            optax.scale(-rate),
        )
        label = lambda params: {name: "new" if name == "head" else "known" for name in params}
        tune = optax.chain(optax.clip_by_global_norm(1.0), optax.multi_transform({"new": adam(1e-3), "known": adam(peak)}, label))
        params = jax.tree.map(jnp.asarray, params)
        state, rng = tune.init(params), np.random.default_rng(seed)
        words = self.words

        def step(params, state, rows, picked, key, words, rate):
            batch = {name: values[picked] for name, values in rows.items()}
            (_, parts), gradient = jax.value_and_grad(loss, has_aux=True)(params, words, batch, key)
            change, state = tune.update(gradient, state, params)
            return optax.apply_updates(params, jax.tree.map(lambda x: x * rate, change)), state, parts

        step = jax.jit(step, donate_argnums=(0, 1))
        key, seen, i, done, began = jax.random.key(seed), [], 0, 0.0, None
        picks = self.batches(len(rows["ids"]), rng)
        while done < 1:
            rate = np.float32(min(1, (i + 1) / 200) * (0.02 + 0.49 * (1 + np.cos(np.pi * done))))
            params, state, parts = step(params, state, rows, next(picks), jax.random.fold_in(key, i), words, rate)
            seen.append(parts)
            i += 1
            if i == 1 or i % 20 == 0:
                seen[-1].block_until_ready()
                began = began or time.time()  # after the compilation
                done = max((time.time() - began) / seconds, i / self.args.steps)
            if i % 500 == 0 or done >= 1:
                say(f"  {i} {np.mean(np.array(jax.device_get(seen[-100:])), 0).round(4)}")
        return params

    def measured(self, params):
        """Figures of the dev sets."""
        found = {name: exact_f1(scores_of(params, self.words, corpus, self.emissions), corpus) for name, corpus in self.dev.items()}
        return {name: round(100 * value, 1) for name, value in found.items()}

    def teacher(self, seed):
        def loss(params, words, batch, key):
            given = jax.nn.log_softmax(model.affine(params["head"], layers.states(params, words, batch, key)[-1]))
            tags = cross_entropy(given, batch)
            return tags, tags[None]

        rows = {k: jnp.asarray(v) for k, v in self.gold.items()}
        params = layers.initial(self.encoder, range(len(self.encoder["layers"])), seed)
        return self.run(params, loss, self.args.teacher_seconds, rows, self.args.teacher_rate, seed)

    def taught(self, teachers):
        """What the teachers and the encoder say of all rows, beside the rows."""
        encode = jax.jit(lambda p, w, b: layers.states(p, w, b)[-1].astype(jnp.bfloat16))
        ask = jax.jit(lambda p, w, b: jax.nn.softmax(model.affine(p["head"], layers.states(p, w, b)[-1])).astype(jnp.float16))
        rows, n = {k: jnp.asarray(v) for k, v in self.every.items()}, len(self.every["ids"])
        encoder = jax.tree.map(jnp.asarray, self.encoder)
        states, scores = [], []
        for i in range(0, n, 128):
            batch = {k: rows[k][i : i + 128] for k in ("ids", "segments", "positions")}
            states.append(encode(encoder, self.words, batch))
            scores.append(sum(ask(teacher, self.words, batch) / len(teachers) for teacher in teachers))
        rows |= {"states": jnp.concatenate(states), "scores": jnp.concatenate(scores)}
        center = jnp.mean(rows["states"][:: max(1, n // 500)].astype(jnp.float32), (0, 1))
        return rows, center

    def student(self, kept, rows, center, seed=31):
        def loss(params, words, batch, key):
            last = layers.states(params, words, batch, key, 0.05)[-1]
            given = jax.nn.log_softmax(model.affine(params["head"], last))
            asked = batch["scores"].astype(jnp.float32)
            units = (batch["units"] == 1) & (batch["segments"] > 0)
            apart = ((asked * (jnp.log(asked + 1e-6) - given)).sum(-1) * units).sum() / jnp.maximum(units.sum(), 1)
            tags = apart + 0.3 * cross_entropy(given, batch)
            known = batch["states"].astype(jnp.float32)
            inside = (batch["segments"] > 0).astype(jnp.float32)
            mean = lambda cosines, weights: ((1 - cosines) * weights).sum() / jnp.maximum(weights.sum(), 1)
            pieces = mean((layers.unit(last - center) * layers.unit(known - center)).sum(-1), inside)
            own, right = layers.vectors(last, batch["sentences"]), layers.vectors(known, batch["sentences"])
            whole = (batch["sentences"].max(1)[:, None] >= jnp.arange(1, layers.SENTENCES + 1)[None]).astype(jnp.float32)
            vectors = mean((layers.unit(own - center) * layers.unit(right - center)).sum(-1), whole)
            total = 8 * tags + 0.5 * pieces + vectors
            return total, jnp.stack([tags, pieces, vectors])

        return self.run(layers.initial(self.encoder, kept, seed), loss, self.args.student_seconds, rows, self.args.rate, seed)


def cross_entropy(given, batch):
    tags = batch["tags"].astype(jnp.int32)
    gold = (tags >= 0) & (batch["units"] == 1)
    right = jnp.take_along_axis(given, jnp.maximum(tags, 0)[..., None], -1)[..., 0]
    return -jnp.where(gold, right, 0.0).sum() / jnp.maximum(gold.sum(), 1)


BEGAN = time.time()


def say(text):
    print(f"{time.time() - BEGAN:.0f} s {text}", flush=True)


def save(params, path):
    """Weights in half precision."""
    pickle.dump(jax.tree.map(lambda x: np.asarray(x).astype(np.float16), params), open(path, "wb"))


def main():
    args = options()
    jax.config.update("jax_default_matmul_precision", "tensorfloat32")
    jax.config.update("jax_default_prng_impl", "rbg")
    trainer = Trainer(args)
    say(str(jax.devices()))
    report = {}
    teachers = []
    for k in range(args.teachers):
        teachers.append(trainer.teacher(11 + k))
        report[f"teacher {k}"] = trainer.measured(teachers[-1])
        say(f"teacher {k}: {report[f'teacher {k}']}")
    rows, center = trainer.taught(teachers)
    say("taught")
    for kept in args.students:
        params = trainer.student([int(k) for k in kept.split(",")], rows, center)
        save(params, f"{args.out}/student-{kept.replace(',', '-')}.pkl")
        report[kept] = trainer.measured(params)
        say(f"student {kept}: {report[kept]}")
        json.dump(report, open(f"{args.out}/report.json", "w"), indent=1)


main()
