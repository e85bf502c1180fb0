"""The reader of all languages: layers of multilingual-e5-small with heads for tags and sentiment, in JAX."""

import sys
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np

sys.path[:0] = [str(Path(__file__).parent.parent / name) for name in ("ner", "cross-language", "sentiment")]
import model  # noqa: E402
import network as sentiment  # noqa: E402, of models/sentiment

HIDDEN = model.HIDDEN
SENTENCES = 24  # of a row, at most, that have a vector as target
SENTIMENT = {"width": 64, "heads": 4, "key": 16, "hidden": 32, "drop": 0.3, "drop_input": 0.1}
MENTION_PIECES = 64  # of a sentence with a mention, the marks among them
HELD = 10  # one text with mentions in so many is only watched
READ = 3  # last layers that sentiment reads


def word_rows(source):
    """Vectors of pieces by their ids, [..., HIDDEN], from a table of 4 bits."""
    table = np.frombuffer(source.raw("emb.word"), np.uint8).reshape(int(source.vocabulary), -1, 18)
    scales = np.ascontiguousarray(table[:, :, :2]).view("<f2")[:, :, 0].astype(np.float32)
    scales, values = jnp.asarray(scales), jnp.asarray(table[:, :, 2:])

    def rows(ids):
        both = jnp.concatenate([values[ids] & 15, values[ids] >> 4], -1).astype(jnp.float32) - 8
        return (both * scales[ids][..., None]).reshape(*ids.shape, HIDDEN)

    return rows


def initial(source, kept, seed=17):
    """The kept layers of the encoder, and new heads; matrices are [in, out]. Word vectors stay as they are."""
    dense = lambda names, inputs: {
        "w": np.concatenate([source.weights(f"{name}.w", inputs) for name in names], 1),
        "b": np.concatenate([source.floats(f"{name}.b") for name in names]),
    }
    norm = lambda name: {"g": source.floats(f"{name}.w"), "b": source.floats(f"{name}.b")}
    layer = lambda k: {
        "qkv": dense([f"l{k}.{part}" for part in "qkv"], HIDDEN),
        "attended": dense([f"l{k}.ao"], HIDDEN),
        "norm1": norm(f"l{k}.aln"),
        "up": dense([f"l{k}.fi"], HIDDEN),
        "down": dense([f"l{k}.fo"], 4 * HIDDEN),
        "norm2": norm(f"l{k}.oln"),
    }
    places = source.floats("emb.pos").reshape(-1, HIDDEN) + source.floats("emb.type").reshape(-1, HIDDEN)[0]
    rng = np.random.default_rng(seed)
    return {
        "positions": places[:128].copy(),
        "norm": norm("emb.ln"),
        "layers": [layer(k) for k in kept],
        "head": {"w": rng.normal(0, 0.02, (HIDDEN, model.TAGS)).astype(np.float32), "b": np.zeros(model.TAGS, np.float32)},
        "sentiment": jax.tree.map(np.asarray, sentiment.initial(SENTIMENT, READ * HIDDEN, jax.random.key(seed))),
    }


def states(params, words, batch, key=None, rate=0.1):
    """
    States of all layers [layers][rows, pieces, HIDDEN]; a piece sees its own segment only. `words`: the vectors of the
    pieces. With a key: with dropout.
    """
    keys = iter(jax.random.split(key, 1 + 2 * len(params["layers"]))) if key is not None else None
    drop = lambda x: model.dropped(x, None if keys is None else next(keys), rate)
    x = words + params["positions"][batch["positions"]]
    x = drop(model.normed(params["norm"], x))
    segments = batch["segments"]
    bias = jnp.where(segments[:, None, :, None] == segments[:, None, None, :], 0.0, -1e9)
    found = []
    for layer in params["layers"]:
        x = model.normed(layer["norm1"], x + drop(model.attention(layer, x, bias)))
        wide = jax.nn.gelu(model.affine(layer["up"], x), approximate=False)
        x = model.normed(layer["norm2"], x + drop(model.affine(layer["down"], wide)))
        found.append(x)
    return found


def polarity(params, found, batch, key=None):
    """Logits [rows, 3] of the sentiment towards the target of each row; without the marks."""
    wide = jnp.concatenate(found[-READ:], -1)[:, 1:]
    return sentiment.logits(params["sentiment"], SENTIMENT, (wide, batch["lengths"], batch["targets"]), key)


def unit(x):
    return x * jax.lax.rsqrt((x * x).sum(-1, keepdims=True) + 1e-9)


def vectors(last, sentences):
    """Means of the pieces of sentences [rows, SENTENCES, HIDDEN]."""
    inside = (sentences[:, :, None] == jnp.arange(1, SENTENCES + 1)[None, None]).astype(jnp.float32)
    total = jnp.einsum("rls,rld->rsd", inside, last)
    return total / jnp.maximum(inside.sum(1)[:, :, None], 1)


def read_mentions(rows):
    """Mentions that are in the pieces that are read, with the pieces of their text and whether it is only watched."""
    texts = {}
    for row in rows:
        if row["to"] <= MENTION_PIECES - 2:
            ids = tuple(row["ids"][: MENTION_PIECES - 2])
            yield row, ids, texts.setdefault(ids, len(texts)) % HELD == 0
