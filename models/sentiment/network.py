"""The network: a narrow view of each piece's states, a look at its neighbours, then means as the target sees them."""
import jax
import jax.numpy as jnp
import numpy as np

CLASSES = 3
DISTANCES = 17  # buckets of src/language/sentiment/attention.ts
NEAR = 8.0


def initial(config, inputs, key):
    width, heads, size, hidden = config["width"], config["heads"], config["key"], config["hidden"]
    seen = (3 + heads) * width
    keys = jax.random.split(key, 6)
    normal = lambda k, shape, fan: jax.random.normal(k, shape) / np.sqrt(fan)
    return {
        "map": normal(keys[0], (inputs, width), inputs),
        "map_bias": jnp.zeros(width),
        "near": normal(keys[1], (3, width, width), 3 * width),  # the piece before, itself, the piece after
        "near_bias": jnp.zeros(width),
        "query": normal(keys[2], (heads, width, size), width),
        "query_bias": jnp.zeros((heads, size)),
        "key": normal(keys[3], (heads, width, size), width),
        "distance": jnp.zeros((heads, DISTANCES)),
        "hidden": normal(keys[4], (seen, hidden), seen),
        "hidden_bias": jnp.zeros(hidden),
        "output": 0.1 * jax.random.normal(keys[5], (hidden, CLASSES)),
        "direct": jnp.zeros((seen, CLASSES)),
        "output_bias": jnp.zeros(CLASSES),
    }


def bucket(distance):
    size = jnp.abs(distance)
    far = 4 + jnp.floor(jnp.log2(jnp.maximum(size, 1) / 4.0))
    place = jnp.where(size < 4, size, jnp.minimum(8, far)).astype(int)
    return jnp.where(distance < 0, 8 - place, 8 + place)


def dropped(values, key, rate, shape):
    return values if key is None else values * jax.random.bernoulli(key, 1 - rate, shape) / (1 - rate)


def logits(params, config, batch, key=None):
    """batch: states [rows, positions, inputs], lengths [rows], targets [rows, positions] of 0 and 1."""
    states, lengths, targets = batch
    keys = [None] * 4 if key is None else jax.random.split(key, 4)
    positions = jnp.arange(states.shape[1])
    valid = (positions[None] < lengths[:, None]).astype(jnp.float32)
    mapping = dropped(params["map"], keys[0], config["drop_input"], (states.shape[2], 1))
    seen = jax.nn.gelu(states @ mapping + params["map_bias"]) * valid[..., None]
    seen = dropped(seen, keys[1], config["drop"] / 2, (len(seen), 1, seen.shape[2]))
    padded = jnp.pad(seen, ((0, 0), (1, 1), (0, 0)))
    before, itself, after = (padded[:, i : i + seen.shape[1]] @ params["near"][i] for i in range(3))
    seen = seen + jax.nn.gelu(before + itself + after + params["near_bias"])

    mask = targets.astype(jnp.float32)
    first = jnp.argmax(mask, 1)[:, None]
    last = states.shape[1] - 1 - jnp.argmax(mask[:, ::-1], 1)[:, None]
    distance = jnp.where(positions < first, positions - first, jnp.where(positions > last, positions - last, 0))
    weights = jnp.stack([valid, mask, jnp.exp(-jnp.abs(distance) / NEAR) * valid], 1)
    means = (weights / weights.sum(2, keepdims=True)) @ seen

    query = jnp.einsum("br,hrk->bhk", means[:, 1], params["query"]) + params["query_bias"]
    asked = jnp.einsum("bhk,hrk->bhr", query, params["key"]) / np.sqrt(config["key"])
    scores = asked @ jnp.swapaxes(seen, 1, 2) + jnp.transpose(params["distance"][:, bucket(distance)], (1, 0, 2))
    attended = jax.nn.softmax(jnp.where(valid[:, None] > 0, scores, -1e9), -1) @ seen

    features = jnp.concatenate([means, attended], 1).reshape(len(states), -1)
    features = dropped(features, keys[2], config["drop"], features.shape)
    hidden = jax.nn.gelu(features @ params["hidden"] + params["hidden_bias"])
    hidden = dropped(hidden, keys[3], config["drop"], hidden.shape)
    return hidden @ params["output"] + features @ params["direct"] + params["output_bias"]
