"""Trains the tagger. `python models/ner/train.py --help`; see README.md for the runs that made the model."""

import argparse
import pickle
import time

import jax
import jax.numpy as jnp
import numpy as np
import optax

import data
import model
from predict import approximate_f1

ROWS = 8  # x 128 pieces a step


def options():
    p = argparse.ArgumentParser()
    p.add_argument("--encoder", required=True, help="all-minilm-l6-v2.onnx in fp32")
    p.add_argument("--start", help="weights to go on from")
    p.add_argument("--sets", nargs="+", required=True, help="FILE.bin or FILE.bin*TIMES an epoch")
    p.add_argument("--dev", nargs="*", default=[])
    p.add_argument("--out", required=True)
    p.add_argument("--layers", type=int, default=4)
    p.add_argument("--epochs", type=float, default=2)
    p.add_argument("--rate", type=float, default=8e-5)
    p.add_argument("--head-rate", type=float, default=1e-3)
    p.add_argument("--watch", type=int, default=300, help="steps between looks at the dev sets")
    p.add_argument("--seed", type=int, default=17)
    return p.parse_args()


def loss_of(params, batch, key):
    scores = jax.nn.log_softmax(model.emissions(params, batch, key))
    tags = batch["tags"]
    right = jnp.take_along_axis(scores, jnp.maximum(tags, 0)[..., None], -1)[..., 0]
    return -jnp.where(tags >= 0, right, 0.0).sum() / jnp.maximum((tags >= 0).sum(), 1)


def optimizer(args, steps):
    warm = max(1, int(0.067 * steps))
    schedule = lambda peak: optax.warmup_cosine_decay_schedule(0, peak, warm, steps, peak * 0.02)
    fast = {"case", "head"} if not args.start else set()
    label = lambda params: {name: "fast" if name in fast else "slow" for name in params}
    adam = lambda peak: optax.adamw(schedule(peak), weight_decay=0.01, mask=lambda p: jax.tree.map(lambda x: x.ndim > 1, p))
    tunes = {"fast": adam(args.head_rate), "slow": adam(args.rate)}
    return optax.chain(optax.clip_by_global_norm(1.0), optax.multi_transform(tunes, label))


def main():
    args = options()
    jax.config.update("jax_default_prng_impl", "rbg")
    rng = np.random.default_rng(args.seed)
    named = [name.partition("*") for name in args.sets]
    corpora = [corpus for path, _, times in named for corpus in [data.read(path)] * int(times or 1)]
    if args.start:
        params = pickle.load(open(args.start, "rb"))
    else:
        params = model.pretrained(args.encoder, args.layers, corpora[0].features.shape[1])
    plan = []
    for _ in range(int(np.ceil(args.epochs))):
        plan += data.rows(corpora, rng)
    steps = int(len(plan) * args.epochs / np.ceil(args.epochs)) // ROWS
    tune = optimizer(args, steps)
    params = jax.tree.map(jnp.asarray, params)
    state = tune.init(params)

    @jax.jit
    def step(params, state, batch, key):
        loss, gradient = jax.value_and_grad(loss_of)(params, batch, key)
        change, state = tune.update(gradient, state, params)
        return optax.apply_updates(params, change), state, loss

    step = jax.jit(step, donate_argnums=(0, 1))
    key, began, losses = jax.random.key(args.seed), time.time(), []
    print(f"{len(plan)} rows, {steps} steps", flush=True)
    for i in range(steps):
        batch = data.fill(corpora, plan[i * ROWS : (i + 1) * ROWS], rng)
        params, state, loss = step(params, state, batch, jax.random.fold_in(key, i))
        losses.append(loss)
        if (i + 1) % 50 == 0:
            print(f"{i + 1} loss {np.mean(losses[-50:]):.4f} {time.time() - began:.0f} s", flush=True)
        if (i + 1) % args.watch == 0 or i + 1 == steps:
            pickle.dump(jax.tree.map(np.asarray, params), open(args.out, "wb"))
            for path in args.dev:
                print(f"  {path.split('/')[-1]} {approximate_f1(params, data.read(path))}", flush=True)


main()
