"""The reader: four layers of all-MiniLM-L6-v2 with features of words added to their input; tags and states of pieces."""

import sys
from pathlib import Path

import jax
import jax.numpy as jnp

sys.path.insert(0, str(Path(__file__).parent.parent / "ner"))
import model  # noqa: E402

KEPT = (0, 1, 2, 5)  # layers of the encoder that the reader begins with
SENTENCES = 24  # of a row, at most, that have a vector as target


def initial(encoder, features):
    """The encoder's first three layers and its last one. The head and the features begin at nothing."""
    params = model.pretrained(encoder, 6, features)
    return {**params, "layers": [params["layers"][k] for k in KEPT]}


def states(params, batch, key=None, rate=0.05):
    """States of all layers [layers][rows, pieces, HIDDEN]; a piece sees its own segment only. With a key: with dropout."""
    keys = iter(jax.random.split(key, 1 + 2 * len(params["layers"]))) if key is not None else None
    drop = lambda x: model.dropped(x, None if keys is None else next(keys), rate)
    x = params["words"][batch["ids"]] + params["positions"][batch["positions"]] + batch["features"] @ params["case"]
    return model.through(params["layers"], drop(model.normed(params["norm"], x)), batch["segments"], drop)


def unit(x):
    return x * jax.lax.rsqrt((x * x).sum(-1, keepdims=True) + 1e-9)


def vectors(last, sentences):
    """Vectors of sentences [rows, SENTENCES, HIDDEN], unit length: the mean of a sentence's pieces."""
    inside = (sentences[:, :, None] == jnp.arange(1, SENTENCES + 1)[None, None]).astype(jnp.float32)
    return unit(jnp.einsum("rls,rld->rsd", inside, last))
