"""Trains the reader of all languages: `python train.py --help`. Goes on from where a stopped run left OUT."""

import argparse
import json
import os
import pickle
import sys
import time
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import optax

import layers

sys.path[:0] = [str(Path(__file__).parent.parent / name) for name in ("ner", "cross-language")]
import data  # noqa: E402
import model  # noqa: E402
from convert import Source  # noqa: E402
from predict import legal_moves, viterbi  # noqa: E402

ROWS, MENTIONS, MENTION_PIECES = 8, 8, layers.MENTION_PIECES
# Sets and how often each is read in an epoch. Sentences without a name are read half as often.
SETS = {
    "train-pt-bosque": 1, "train-hr-set": 1, "train-sr-set": 1, "train-da-ddt": 1, "train-sv-talbanken": 0.5, "train-sv-webbnyheter": 1,
    "train-sk-snk": 1, "train-zh-gsdsimp": 1.5, "train-fi-turku": 1, "wikigold": 1, "uner-ewt": 1, "crossner-politics": 1, "ntrex": 0.3,
}  # fmt: skip
POLARITY = ("gerntsa-train", "rusentne-train")


def options():
    p = argparse.ArgumentParser()
    p.add_argument("--encoder", required=True, help="e5-small-q4.bin")
    p.add_argument("--prepared", required=True, help="folder of prepare.ts and teach.py")
    p.add_argument("--out", required=True)
    p.add_argument("--layers", default="0,1,2,3", help="of the encoder, that the reader begins with")
    p.add_argument("--minutes", type=float, default=60)
    p.add_argument("--rate", type=float, default=2.5e-4)
    p.add_argument("--head-rate", type=float, default=1e-3)
    p.add_argument("--seed", type=int, default=17)
    p.add_argument("--measure", action="store_true", help="only measure OUT")
    return p.parse_args()


def thinned(corpus, times, rng):
    """Sentences of one reading of a set: those without a name half as often."""
    named = np.maximum.reduceat(corpus.tags > 0, corpus.starts[:-1]) if len(corpus.tags) else np.zeros(0, bool)
    share = np.where(named | (corpus.tags[corpus.starts[:-1]] < 0), times, times / 2)
    return rng.random(len(corpus.articles)) < share


class Reading:
    """A set: prepared sentences and, where `teach.py` was run, the encoder's states of their pieces."""

    def __init__(self, folder, name):
        self.corpus = data.read(f"{folder}/{name}.bin")
        taught = f"{folder}/{name}.npy"
        self.states = np.load(taught, mmap_mode="r") if os.path.exists(taught) else None
        self.times = SETS[name]

    def some(self, rng):
        """Sentences for an epoch, and for each of their pieces its place in `states`."""
        found, places = [], []
        times = self.times
        while times > 0:
            kept = thinned(self.corpus, min(1, times), rng)
            found.append(data.chosen(self.corpus, kept))
            words = np.repeat(kept, np.diff(self.corpus.starts))
            places.append(np.flatnonzero(np.repeat(words, np.diff(self.corpus.piece_starts))))
            times -= 1
        return list(zip(found, places))


def epoch(readings, rng):
    """Batches of an epoch: corpora with the places of their pieces, and rows of them."""
    every = [(reading, *one) for reading in readings for one in reading.some(rng)]
    rows = data.rows([corpus for _, corpus, _ in every], rng)
    for i in range(0, len(rows) - ROWS + 1, ROWS):
        yield filled(every, rows[i : i + ROWS], rng)


def filled(every, rows, rng):
    corpora = [corpus for _, corpus, _ in every]
    batch = data.fill(corpora, rows, rng)
    del batch["features"]
    batch["states"] = np.zeros((*batch["ids"].shape, layers.HIDDEN), np.float16)
    batch["sentences"] = np.zeros(batch["ids"].shape, np.int32)  # number of a piece's sentence in its row, from 1
    for r, row in enumerate(rows):
        at, n = 0, 0
        for c, a, b in row:
            reading, corpus, places = every[c]
            starts, pieces = corpus.starts, corpus.piece_starts
            p, q = int(pieces[a]), int(pieces[b])
            if reading.states is not None:
                batch["states"][r, at + 1 : at + 1 + q - p] = reading.states[places[p:q]]
            s = np.searchsorted(starts, a, "right") - 1
            while reading.states is not None and s < len(corpus.articles) and starts[s + 1] <= b and n < layers.SENTENCES:
                if starts[s] >= a:
                    n += 1
                    batch["sentences"][r, at + 1 + pieces[starts[s]] - p : at + 1 + pieces[starts[s + 1]] - p] = n
                s += 1
            at += q - p + 2
    return batch


def mention_rows(folder):
    """Arrays of all mentions: ids, segments, positions, lengths and targets (without the marks), polarity, set, held."""
    parts = []
    for number, name in enumerate(POLARITY):
        rows = list(layers.read_mentions(json.load(open(f"{folder}/{name}.mentions.json"))))
        n = len(rows)
        part = {name: np.zeros((n, MENTION_PIECES), np.int32) for name in ("ids", "segments", "positions")}
        part["positions"] += np.arange(MENTION_PIECES)
        part["targets"] = np.zeros((n, MENTION_PIECES - 1), np.int32)
        part["lengths"] = np.zeros(n, np.int32)
        part["held"] = np.array([is_held for _, _, is_held in rows])
        for i, (row, ids, _) in enumerate(rows):
            part["ids"][i, : len(ids) + 2] = [data.CLS, *ids, data.SEP]
            part["segments"][i, : len(ids) + 2] = 1
            part["lengths"][i] = len(ids)
            part["targets"][i, row["from"] : row["to"]] = 1
        part["polarity"] = np.array([row["polarity"] + 1 for row, _, _ in rows], np.int32)
        shares = np.bincount(part["polarity"], minlength=3) / n
        part["weights"] = np.sqrt(1 / 3 / shares)[part["polarity"]].astype(np.float32)  # rare classes count for more
        part["set"] = np.full(n, number)
        parts.append(part)
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def losses(params, words, batch, mention, center, key):
    keys = jax.random.split(key, 3)
    last = layers.states(params, words(batch["ids"]), batch, keys[0])[-1]
    given = jax.nn.log_softmax(model.affine(params["head"], last))
    gold = batch["tags"] >= 0
    right = jnp.take_along_axis(given, jnp.maximum(batch["tags"], 0)[..., None], -1)[..., 0]
    tags = -jnp.where(gold, right, 0.0).sum() / jnp.maximum(gold.sum(), 1)
    known = batch["states"].astype(jnp.float32)
    read = (known[:, :, :8] != 0).any(-1).astype(jnp.float32)
    mean = lambda cosines, weights: ((1 - cosines) * weights).sum() / jnp.maximum(weights.sum(), 1)
    pieces = mean((layers.unit(last - center) * layers.unit(known - center)).sum(-1), read)
    own, asked = layers.vectors(last, batch["sentences"]), layers.vectors(known, batch["sentences"])
    whole = (batch["sentences"].max(1)[:, None] >= jnp.arange(1, layers.SENTENCES + 1)[None]).astype(jnp.float32)
    vectors = mean((layers.unit(own - center) * layers.unit(asked - center)).sum(-1), whole)
    said = layers.polarity(params, layers.states(params, words(mention["ids"]), mention, keys[1]), mention, keys[2])
    polarity = (optax.softmax_cross_entropy_with_integer_labels(said, mention["polarity"]) * mention["weights"]).mean()
    return 10 * tags + 0.5 * pieces + vectors + 1.5 * polarity, jnp.stack([tags, pieces, vectors, polarity])


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
        answer, truth = spans(viterbi(scores[a:b], moves, start)), spans([int(tag) for tag in corpus.tags[a:b]])
        right, given, gold = right + len(answer & truth), given + len(answer), gold + len(truth)
    return 2 * right / max(1, given + gold)


class Measure:
    """Figures of a state of training: exact-span F1 of units on the dev sets, macro-F1 on the held mentions."""

    def __init__(self, folder, words, mentions):
        self.dev = {path.stem: data.read(path) for path in sorted(Path(folder).glob("dev-*.bin"))}
        self.words, self.mentions = words, mentions
        self.emissions = jax.jit(lambda p, b: model.affine(p["head"], layers.states(p, words(b["ids"]), b)[-1]))
        self.polarity = jax.jit(lambda p, b: layers.polarity(p, layers.states(p, words(b["ids"]), b), b))

    def scores(self, params, corpus):
        found = np.zeros((len(corpus.tags), model.TAGS), np.float32)
        every = [[(0, a, b)] for a, b in data.windows(corpus, lambda _: data.WINDOW)]
        for i in range(0, len(every), ROWS):
            part = every[i : i + ROWS]
            batch = data.fill([corpus], part + part[:1] * (ROWS - len(part)))
            given = np.asarray(self.emissions(params, {k: batch[k] for k in ("ids", "segments", "positions")}))
            for r, [(_, a, b)] in enumerate(part):
                found[a:b] = given[r, 1 + corpus.piece_starts[a:b] - corpus.piece_starts[a]]
        found[:, 7:] = -1e9  # events are not learned
        return found

    def __call__(self, params, sets=None):
        found = {}
        for name, corpus in self.dev.items():
            if sets is None or name in sets:
                found[name] = exact_f1(self.scores(params, corpus), corpus)
        held, answers = np.flatnonzero(self.mentions["held"]), []
        for i in range(0, len(held), 32):
            own = np.resize(held[i : i + 32], 32)
            asked = {k: self.mentions[k][own] for k in ("ids", "segments", "positions", "lengths", "targets")}
            answers.append(np.asarray(self.polarity(params, asked)).argmax(1)[: len(held[i : i + 32])])
        answers = np.concatenate(answers)
        for number, name in enumerate(POLARITY):
            own = self.mentions["set"][held] == number
            found[name] = macro_f1(answers[own], self.mentions["polarity"][held][own])
        return {name: round(100 * value, 1) for name, value in found.items()}


def macro_f1(answers, right):
    hits = [2 * ((answers == k) & (right == k)).sum() / max(1, (answers == k).sum() + (right == k).sum()) for k in range(3)]
    return float(np.mean(hits))


def optimizer(args):
    """Rates come with each step."""
    adam = lambda rate: optax.chain(
        optax.scale_by_adam(),
        optax.add_decayed_weights(0.01, lambda p: jax.tree.map(lambda x: x.ndim > 1, p)),
        optax.scale(-rate),
    )
    label = lambda params: {name: "new" if name in ("head", "sentiment") else "known" for name in params}
    tunes = {"new": adam(args.head_rate), "known": adam(args.rate)}
    return optax.chain(optax.clip_by_global_norm(1.0), optax.multi_transform(tunes, label))


def main():
    args = options()
    jax.config.update("jax_default_prng_impl", "rbg")
    source = Source(args.encoder)
    data.CLS, data.SEP, data.MASK = 0, 2, 250_001
    words = layers.word_rows(source)
    mentions = mention_rows(args.prepared)
    measure = Measure(args.prepared, words, mentions)
    if args.measure:
        print(measure(pickle.load(open(args.out, "rb"))[0]))
        return
    readings = [Reading(args.prepared, name) for name in SETS]
    learned = np.flatnonzero(~mentions["held"])
    center = np.mean([reading.states[:: max(1, len(reading.states) // 2000)].astype(np.float32).mean(0) for reading in readings if reading.states is not None], 0)
    if os.path.exists(args.out):
        params, state, i, spent = pickle.load(open(args.out, "rb"))
    else:
        params, state, i, spent = layers.initial(source, [int(k) for k in args.layers.split(",")], args.seed), None, 0, 0.0
    tune = optimizer(args)
    params = jax.tree.map(jnp.asarray, params)
    state = tune.init(params) if state is None else jax.tree.map(jnp.asarray, state)

    def step(params, state, batch, mention, key, rate):
        (_, parts), gradient = jax.value_and_grad(losses, has_aux=True)(params, words, batch, mention, center, key)
        change, state = tune.update(gradient, state, params)
        return optax.apply_updates(params, jax.tree.map(lambda x: x * rate, change)), state, parts

    step = jax.jit(step, donate_argnums=(0, 1))
    rng, key, seen, kept, began = np.random.default_rng(args.seed + i), jax.random.key(args.seed), [], 0.0, time.time()
    batches = iter(())
    while spent < args.minutes * 60:
        batch = next(batches, None)
        if batch is None:
            batches = epoch(readings, rng)
            print(f"an epoch begins at {spent:.0f} s", flush=True)
            continue
        asked = rng.choice(learned, MENTIONS)
        mention = {k: mentions[k][asked] for k in ("ids", "segments", "positions", "lengths", "targets", "polarity", "weights")}
        done = spent / (args.minutes * 60)
        rate = np.float32(min(1, (i + 1) / 200) * (0.02 + 0.49 * (1 + np.cos(np.pi * done))))
        params, state, parts = step(params, state, batch, mention, jax.random.fold_in(key, i), rate)
        seen.append(np.asarray(parts))
        i += 1
        now = time.time()
        spent, began = spent + now - began, now
        if i % 100 == 0:
            print(f"{i} {np.mean(seen[-100:], 0).round(4)} {spent:.0f} s", flush=True)
        if spent - kept > 600 or spent >= args.minutes * 60:
            kept = spent
            whole = jax.tree.map(np.asarray, (params, state))
            pickle.dump((*whole, i, spent), open(f"{args.out}.new", "wb"))
            os.replace(f"{args.out}.new", args.out)
            print(f"  {measure(params, {'dev-de-germeval', 'dev-pt-bosque', 'dev-zh-gsdsimp'})}", flush=True)
            began = time.time()
    print(measure(params), flush=True)


main()
