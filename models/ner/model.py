"""The tagger: the first layers of all-MiniLM-L6-v2 with case features added to their input; in JAX and in ONNX."""

import jax
import jax.numpy as jnp
import numpy as np
import onnx
from onnx import numpy_helper

HIDDEN, HEADS, TAGS, EPSILON = 384, 12, 9, 1e-12


def pretrained(onnx_file, layers, features):
    """Weights of the fp32 encoder's first layers; matrices are [in, out]. Query, key and value are one matrix."""
    graph = onnx.load(onnx_file).graph
    named = {t.name: numpy_helper.to_array(t) for t in graph.initializer}
    matrix = {n.name: named[n.input[1]] for n in graph.node if n.op_type == "MatMul" and n.input[1] in named}
    norm = lambda path: {"g": named[f"{path}.weight"], "b": named[f"{path}.bias"]}

    def dense(layer, parts):
        weights = [matrix[f"/encoder/layer.{layer}/{part}/MatMul"] for part in parts]
        biases = [named[f"encoder.layer.{layer}.{part.replace('/', '.')}.bias"] for part in parts]
        return {"w": np.concatenate(weights, 1), "b": np.concatenate(biases)}

    words, kind = named["embeddings.word_embeddings.weight"], named["embeddings.token_type_embeddings.weight"][0]
    rng = np.random.default_rng(17)
    return {
        "words": words,
        "positions": named["embeddings.position_embeddings.weight"][:128] + kind,
        "case": np.zeros((features, HIDDEN), np.float32),
        "norm": norm("embeddings.LayerNorm"),
        "layers": [
            {
                "qkv": dense(k, [f"attention/self/{part}" for part in ("query", "key", "value")]),
                "attended": dense(k, ["attention/output/dense"]),
                "norm1": norm(f"encoder.layer.{k}.attention.output.LayerNorm"),
                "up": dense(k, ["intermediate/dense"]),
                "down": dense(k, ["output/dense"]),
                "norm2": norm(f"encoder.layer.{k}.output.LayerNorm"),
            }
            for k in range(layers)
        ],
        "head": {"w": rng.normal(0, 0.02, (HIDDEN, TAGS)).astype(np.float32), "b": np.zeros(TAGS, np.float32)},
    }


def normed(p, x):
    mean = x.mean(-1, keepdims=True)
    x = x - mean
    return x * jax.lax.rsqrt((x * x).mean(-1, keepdims=True) + EPSILON) * p["g"] + p["b"]


def affine(p, x):
    return x @ p["w"] + p["b"]


def dropped(x, key, rate):
    if key is None:
        return x
    kept = jax.random.bits(key, x.shape, np.uint8) >= round(rate * 256)  # a byte each: random numbers are dear
    return jnp.where(kept, x / (1 - rate), 0.0)


def attention(layer, x, bias):
    rows, length, _ = x.shape
    split = affine(layer["qkv"], x).reshape(rows, length, 3, HEADS, HIDDEN // HEADS)
    q, k, v = (split[:, :, i].transpose(0, 2, 1, 3) for i in range(3))
    scores = q @ k.transpose(0, 1, 3, 2) / np.sqrt(HIDDEN // HEADS) + bias
    mixed = jax.nn.softmax(scores, -1) @ v
    return affine(layer["attended"], mixed.transpose(0, 2, 1, 3).reshape(rows, length, HIDDEN))


def through(layers, x, segments, drop):
    """States after each layer; a piece sees its own segment only."""
    bias = jnp.where(segments[:, None, :, None] == segments[:, None, None, :], 0.0, -1e9)
    found = []
    for layer in layers:
        x = normed(layer["norm1"], x + drop(attention(layer, x, bias)))
        x = normed(layer["norm2"], x + drop(affine(layer["down"], jax.nn.gelu(affine(layer["up"], x), approximate=False))))
        found.append(x)
    return found


def emissions(params, batch, key=None, rate=0.1):
    """Logits [rows, pieces, tags]; a piece sees its own segment only. With a key: with dropout."""
    keys = iter(jax.random.split(key, 2 + 2 * len(params["layers"]))) if key is not None else None
    drop = lambda x: dropped(x, None if keys is None else next(keys), rate)
    x = params["words"][batch["ids"]] + params["positions"][batch["positions"]] + batch["features"] @ params["case"]
    x = through(params["layers"], drop(normed(params["norm"], x)), batch["segments"], drop)[-1]
    return affine(params["head"], drop(x))
