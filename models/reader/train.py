"""Trains the reader: `python train.py --help`. Goes on from where a stopped run left OUT."""

import argparse
import os
import pickle
import sys
import time
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import optax

import network

sys.path.insert(0, str(Path(__file__).parent.parent / "ner"))
import data  # noqa: E402
import model  # noqa: E402
from predict import approximate_f1  # noqa: E402

ROWS = 8  # x 128 pieces a step
HELD_EVERY = 100  # articles: one in so many is only watched
WATCHED = 32  # rows of those
TEMPERATURE = 1.5  # of the teachers' scores, which are those of one and a half taggers


def options():
    p = argparse.ArgumentParser()
    p.add_argument("--encoder", required=True, help="all-minilm-l6-v2.onnx in fp32")
    p.add_argument("--sentences", required=True, help="FILE.bin of unlabelled sentences")
    p.add_argument("--taught", nargs="+", required=True, help="what teach.py wrote, without the endings, in order")
    p.add_argument("--gold", nargs="+", default=[], help="FILE.bin or FILE.bin*TIMES an epoch")
    p.add_argument("--dev", nargs="*", default=[])
    p.add_argument("--out", required=True)
    p.add_argument("--first", help="begin with the weights of another run, which may have had fewer features")
    p.add_argument("--steps", type=int, default=4000)
    p.add_argument("--rate", type=float, default=2e-4)
    p.add_argument("--head-rate", type=float, default=1e-3)
    p.add_argument("--watch", type=int, default=250, help="steps between looks at held articles")
    p.add_argument("--seed", type=int, default=17)
    p.add_argument("--tags", type=float, default=4.0, help="weight of the tags' loss")
    p.add_argument("--vectors", type=float, default=2.0, help="of the sentence vectors'; the pieces' states have 1")
    return p.parse_args()


class Taught:
    """What the teachers say of the unlabelled sentences."""

    def __init__(self, names):
        parts = [np.load(f"{name}.npz") for name in names]
        self.vectors = np.concatenate([part["vectors"] for part in parts]).astype(np.float32)
        self.scores = np.concatenate([part["scores"] for part in parts]).astype(np.float32)
        self.parts = [np.load(f"{name}.states.npy", mmap_mode="r") for name in names]
        self.edges = np.cumsum([0, *map(len, self.parts)])

    def states(self, p, q):
        """Of pieces p to q, [pieces, HIDDEN]."""
        found = [
            part[max(p - a, 0) : max(q - a, 0)] for part, a, b in zip(self.parts, self.edges, self.edges[1:]) if p < b and q > a
        ]
        return np.concatenate(found)


def filled(corpora, taught, items, hidden=None):
    """A batch of `data.fill` and its targets. The first corpus is the unlabelled one."""
    batch, shape = data.fill(corpora, items, hidden), (len(items), data.WINDOW)
    vectors = (len(items), network.SENTENCES)
    batch |= {
        "sentences": np.zeros(shape, np.int32),  # number of a piece's sentence in its row, from 1
        "scores": np.zeros((*shape, model.TAGS), np.float32),
        "taught": np.zeros(shape, np.float32),  # 1: a word's first piece whose scores are known
        "vectors": np.zeros((*vectors, model.HIDDEN), np.float32),
        "whole": np.zeros(vectors, np.float32),  # 1: the sentence is in one window
        "states": np.zeros((*shape, model.HIDDEN), np.float16),
        "read": np.zeros(shape, np.float32),  # 1: a piece whose state is known
    }
    for r, row in enumerate(items):
        at, n = 0, 0
        for c, a, b in row:
            corpus = corpora[c]
            starts, pieces = corpus.starts, corpus.piece_starts
            p, q = pieces[a], pieces[b]
            first = at + 1
            if c == 0:
                firsts = first + pieces[a:b] - p
                batch["scores"][r, firsts] = taught.scores[a:b]
                batch["taught"][r, firsts] = 1
                states = taught.states(p, q)
                batch["states"][r, first : first + q - p] = states
                batch["read"][r, first : first + q - p] = (states[:, :8] != 0).any(1)
                s = np.searchsorted(starts, a, "right") - 1
                while s < len(corpus.articles) and starts[s] < b and n < network.SENTENCES:
                    i, j = max(starts[s], a), min(starts[s + 1], b)
                    if j > i:
                        batch["sentences"][r, first + pieces[i] - p : first + pieces[j] - p] = n + 1
                        batch["vectors"][r, n] = taught.vectors[s]
                        batch["whole"][r, n] = i == starts[s] and j == starts[s + 1]
                        n += 1
                    s += 1
            at += int(q - p) + 2
    return batch


def losses(params, batch, key, weights):
    """Tags (cross entropy with gold, divergence from the teachers), 1 - cosine of sentence vectors and of piece states."""
    last = network.states(params, batch, key)[-1]
    given = jax.nn.log_softmax(model.affine(params["head"], last))
    gold = (batch["tags"] >= 0) & (batch["taught"] == 0)
    right = jnp.take_along_axis(given, jnp.maximum(batch["tags"], 0)[..., None], -1)[..., 0]
    asked = jax.nn.softmax(batch["scores"] / TEMPERATURE)
    apart = (asked * (jnp.log(asked + 1e-9) - given)).sum(-1) * batch["taught"]
    tags = (apart.sum() - jnp.where(gold, right, 0.0).sum()) / jnp.maximum(gold.sum() + batch["taught"].sum(), 1)
    mean = lambda cosines, weights: ((1 - cosines) * weights).sum() / jnp.maximum(weights.sum(), 1)
    vectors = mean((network.vectors(last, batch["sentences"]) * batch["vectors"]).sum(-1), batch["whole"])
    known = network.unit(batch["states"].astype(jnp.float32))
    states = mean((network.unit(last) * known).sum(-1), batch["read"])
    return weights[0] * tags + weights[1] * vectors + states, (tags, vectors, states)


def optimizer(args):
    warm = min(100, args.steps // 10)
    schedule = lambda peak: optax.warmup_cosine_decay_schedule(0, peak, warm, args.steps, peak * 0.02)
    adam = lambda peak: optax.adamw(schedule(peak), weight_decay=0.01, mask=lambda p: jax.tree.map(lambda x: x.ndim > 1, p))
    label = lambda params: {name: "new" if name in ("case", "head") else "known" for name in params}
    tunes = {"new": adam(args.head_rate), "known": adam(args.rate)}
    return optax.chain(optax.clip_by_global_norm(1.0), optax.multi_transform(tunes, label))


def beginning(args, features):
    """Weights of another run, or of the encoder. Features that the other run did not have begin at nothing."""
    if args.first is None:
        return network.initial(args.encoder, features)
    params, *_ = pickle.load(open(args.first, "rb"))
    return {**params, "case": np.pad(params["case"], ((0, features - len(params["case"])), (0, 0)))}


def is_held(corpus):
    """[sentences] of booleans."""
    held = np.unique(corpus.articles)[::HELD_EVERY]
    return np.isin(corpus.articles, held)


def main():
    args = options()
    jax.config.update("jax_default_prng_impl", "rbg")
    sentences, taught = data.read(args.sentences), Taught(args.taught)
    sentences.tags = np.full(len(sentences.tags), -1, np.int8)
    named = [name.partition("*") for name in args.gold]
    corpora = [sentences, *(c for path, _, times in named for c in [data.read(path)] * int(times or 1))]
    held, starts, rng = is_held(sentences), sentences.starts, np.random.default_rng(args.seed)
    is_held_part = lambda part: part[0] == 0 and held[np.searchsorted(starts, part[1], "right") - 1]
    has_held = lambda row: any(is_held_part(part) for part in row)
    plan = []
    while len(plan) < args.steps * ROWS:
        plan += [row for row in data.rows(corpora, rng) if not has_held(row)]
    watched = [row for row in data.rows([sentences], np.random.default_rng(5)) if all(is_held_part(part) for part in row)]
    watched = [filled([sentences], taught, watched[i : i + ROWS]) for i in range(0, WATCHED - ROWS + 1, ROWS)]
    if os.path.exists(args.out):
        params, state, first = pickle.load(open(args.out, "rb"))
    else:
        params, state, first = beginning(args, sentences.features.shape[1]), None, 0
    tune = optimizer(args)
    params = jax.tree.map(jnp.asarray, params)
    state = tune.init(params) if state is None else jax.tree.map(jnp.asarray, state)

    def step(params, state, batch, key):
        (_, parts), gradient = jax.value_and_grad(losses, has_aux=True)(params, batch, key, (args.tags, args.vectors))
        change, state = tune.update(gradient, state, params)
        return optax.apply_updates(params, change), state, parts

    step = jax.jit(step, donate_argnums=(0, 1))
    held_losses = jax.jit(lambda params, batch: losses(params, batch, None, (1, 1))[1])
    key, began, seen = jax.random.key(args.seed), time.time(), []
    for i in range(first, args.steps):
        batch = filled(corpora, taught, plan[i * ROWS : (i + 1) * ROWS], np.random.default_rng(i))
        params, state, parts = step(params, state, batch, jax.random.fold_in(key, i))
        seen.append([float(part) for part in parts])
        if (i + 1) % 50 == 0:
            print(f"{i + 1} {np.mean(seen[-50:], 0).round(4)} {time.time() - began:.0f} s", flush=True)
        if (i + 1) % args.watch == 0 or i + 1 == args.steps:
            kept = jax.tree.map(np.asarray, (params, state))
            pickle.dump((*kept, i + 1), open(f"{args.out}.new", "wb"))
            os.replace(f"{args.out}.new", args.out)
            print(f"  held: {np.mean([np.array(held_losses(params, b)) for b in watched], 0).round(4)}", flush=True)
    weights = {name: params[name] for name in ("words", "positions", "case", "norm", "layers", "head")}
    for path in args.dev:
        print(f"  {path.split('/')[-1]} {approximate_f1(weights, data.read(path))}", flush=True)


main()
