"""The reader of all languages: layers of multilingual-e5-small with a head for tags, in JAX."""

import sys
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np

sys.path[:0] = [str(Path(__file__).parent.parent / name) for name in ("ner", "cross-language")]
import model  # noqa: E402
from convert import dequantised  # noqa: E402

HIDDEN = model.HIDDEN
SENTENCES = 24  # of a row, at most, that have a vector as target


def pretrained(raw):
    """Weights of the encoder from what `pack.py` wrote; matrices are [in, out]. Word vectors stay as they are."""
    floats = lambda name: np.frombuffer(raw[f"e5.{name}"].tobytes(), "<f4")
    weights = lambda name, inputs: dequantised(raw[f"e5.{name}.w"].tobytes(), inputs).T
    dense = lambda names, inputs: {
        "w": np.concatenate([weights(name, inputs) for name in names], 1),
        "b": np.concatenate([floats(f"{name}.b") for name in names]),
    }
    norm = lambda name: {"g": floats(f"{name}.w"), "b": floats(f"{name}.b")}
    layer = lambda k: {
        "qkv": dense([f"l{k}.{part}" for part in "qkv"], HIDDEN),
        "attended": dense([f"l{k}.ao"], HIDDEN),
        "norm1": norm(f"l{k}.aln"),
        "up": dense([f"l{k}.fi"], HIDDEN),
        "down": dense([f"l{k}.fo"], 4 * HIDDEN),
        "norm2": norm(f"l{k}.oln"),
    }
    places = floats("emb.pos").reshape(-1, HIDDEN) + floats("emb.type").reshape(-1, HIDDEN)[0]
    count = sum(f"e5.l{k}.q.w" in raw for k in range(100))
    return {"positions": places[:128].copy(), "norm": norm("emb.ln"), "layers": [layer(k) for k in range(count)]}


def initial(encoder, kept, seed=17):
    """The kept layers of the encoder, and a new head."""
    rng = np.random.default_rng(seed)
    head = {"w": rng.normal(0, 0.02, (HIDDEN, model.TAGS)).astype(np.float32), "b": np.zeros(model.TAGS, np.float32)}
    return {**encoder, "layers": [encoder["layers"][k] for k in kept], "head": head}


def states(params, words, batch, key=None, rate=0.1):
    """States of all layers [layers][rows, pieces, HIDDEN]; a piece sees its own segment only. With a key: with dropout."""
    keys = iter(jax.random.split(key, 1 + 2 * len(params["layers"]))) if key is not None else None
    drop = lambda x: model.dropped(x, None if keys is None else next(keys), rate)
    x = words[batch["ids"]].astype(jnp.float32) + params["positions"][batch["positions"]]
    return model.through(params["layers"], drop(model.normed(params["norm"], x)), batch["segments"], drop)


def unit(x):
    return x * jax.lax.rsqrt((x * x).sum(-1, keepdims=True) + 1e-9)


def vectors(last, sentences):
    """Means of the pieces of sentences [rows, SENTENCES, HIDDEN]."""
    inside = (sentences[:, :, None] == jnp.arange(1, SENTENCES + 1)[None, None]).astype(jnp.float32)
    return jnp.einsum("rls,rld->rsd", inside, last) / jnp.maximum(inside.sum(1)[:, :, None], 1)
