"""The fast setting's tagger: a small head over the sentence encoder's third layer, in `fast-head.onnx` and `.json`.

`python fast.py ENCODER_INT8.onnx OUT DEV.bin… -- FILE.bin[*EVERY]…` (of a file with EVERY only each so-manieth article)
"""

import json
import sys

import jax
import jax.numpy as jnp
import numpy as np
import onnx
import onnxruntime
import optax
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic

import data
from predict import f1, legal_moves, viterbi

STATE = "/encoder/layer.2/output/LayerNorm/Add_1_output_0"
UNITS, TAGS, EPOCHS, BATCH_WORDS, RATE, DROPOUT, SEED = 320, 9, 3, 2048, 1.5e-3, 0.3, 17
LENGTHS = (8, 16, 24, 32, 48, 64, 96, 160)


def third_layer(path):
    """The encoder up to the layer that is read; whatever comes after it is not computed."""
    whole = onnx.shape_inference.infer_shapes(onnx.load(path))
    part = onnx.utils.Extractor(whole).extract_model([i.name for i in whole.graph.input], [STATE])
    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(part.SerializeToString(), settings)


def states_of(session, corpus):
    """State of each word's first piece [words, 384], every sentence encoded alone."""
    found = np.zeros((len(corpus.tags), 384), np.float16)
    for a, b in data.windows(corpus, lambda _: 1):
        p, q = corpus.piece_starts[a], corpus.piece_starts[b]
        ids = np.concatenate([[data.CLS], corpus.pieces[p:q], [data.SEP]])[None].astype(np.int64)
        feeds = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        [states] = session.run(None, feeds)
        found[a:b] = states[0, 1 + corpus.piece_starts[a:b] - p]
    return found


def initial(features):
    rng = np.random.default_rng(SEED)
    normal = lambda *shape: jnp.asarray(rng.normal(0, shape[-2] ** -0.5, shape), jnp.float32)
    return {
        "states": normal(384, UNITS),
        "case": normal(features, UNITS) * 0.1,
        "bias": jnp.zeros(UNITS),
        "conv": normal(3, UNITS, UNITS) * 0.6,
        "conv_bias": jnp.zeros(UNITS),
        "out": normal(UNITS, TAGS),
        "out_bias": jnp.zeros(TAGS),
        "moves": jnp.zeros((TAGS, TAGS)),
        "start": jnp.zeros(TAGS),
    }


def emissions(params, states, features, mask, key=None):
    """[sentences, words, tags]; words beyond a sentence's end are zeros to the convolution."""

    def dropped(x, n):
        if key is None:
            return x
        return jnp.where(jax.random.bernoulli(jax.random.fold_in(key, n), 1 - DROPOUT, x.shape), x / (1 - DROPOUT), 0)

    h = jax.nn.relu(dropped(states, 0) @ params["states"] + features @ params["case"] + params["bias"])
    h = dropped(h, 1) * mask[..., None]
    wide = jnp.pad(h, ((0, 0), (1, 1), (0, 0)))
    beside = sum(wide[:, i : i + h.shape[1]] @ params["conv"][i] for i in range(3))
    h = h + dropped(jax.nn.relu(beside + params["conv_bias"]), 2)
    return h @ params["out"] + params["out_bias"]


def chain_of(params):
    moves, start = legal_moves()
    return params["moves"] + moves, params["start"] + start


def log_sum(params, scores, mask):
    """Of all paths through the linear chain [sentences]."""
    moves, start = chain_of(params)

    def through(before, now):
        row, on = now
        after = jax.nn.logsumexp(before[:, :, None] + moves, 1) + row
        return jnp.where(on[:, None] > 0, after, before), None

    last, _ = jax.lax.scan(through, scores[:, 0] + start, (scores[:, 1:].swapaxes(0, 1), mask[:, 1:].T))
    return jax.nn.logsumexp(last, -1)


def loss_of(params, states, features, tags, mask, key):
    """Minus log of the share that paths with the known tags have; an unsure word (-1) may have any."""
    scores = emissions(params, states, features, mask, key)
    known = (tags[..., None] < 0) | (tags[..., None] == jnp.arange(TAGS))
    apart = log_sum(params, scores, mask) - log_sum(params, jnp.where(known, scores, -1e4), mask)
    return apart.sum() / mask.sum()


def batches(sentences, rng):
    """Sentences of about one length together: (length, indexes)."""
    order = rng.permutation(len(sentences))
    groups, full = {}, []
    for i in order:
        length = next((size for size in LENGTHS if sentences[i][1] - sentences[i][0] <= size), None)
        if length is None or sentences[i][1] == sentences[i][0]:
            continue
        group = groups.setdefault(length, [])
        group.append(i)
        if len(group) == BATCH_WORDS // length:
            full.append((length, groups.pop(length)))
    return [full[i] for i in rng.permutation(len(full))]


def filled(arrays, sentences, length, indexes):
    states, features, tags = arrays
    n = len(indexes)
    batch = [np.zeros((n, length, 384), np.float32), np.zeros((n, length, features.shape[1]), np.float32)]
    batch += [np.full((n, length), -1, np.int32), np.zeros((n, length), np.float32)]
    for r, i in enumerate(indexes):
        a, b = sentences[i]
        for into, values in zip(batch, (states, features, tags, np.ones(len(tags), np.float32))):
            into[r, : b - a] = values[a:b]
    return batch


def trained(arrays, sentences, features):
    rng, params = np.random.default_rng(SEED), initial(features)
    plan = [batch for _ in range(EPOCHS) for batch in batches(sentences, rng)]
    schedule = optax.warmup_cosine_decay_schedule(0, RATE, len(plan) // 20, len(plan), RATE * 0.01)
    tune = optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(schedule, weight_decay=0.01))

    @jax.jit
    def step(params, state, key, *batch):
        loss, gradient = jax.value_and_grad(loss_of)(params, *batch, key)
        change, state = tune.update(gradient, state, params)
        return optax.apply_updates(params, change), state, loss

    state, losses = tune.init(params), []
    for n, (length, indexes) in enumerate(plan):
        key = jax.random.fold_in(jax.random.key(SEED, impl="rbg"), n)
        params, state, loss = step(params, state, key, *filled(arrays, sentences, length, indexes))
        losses.append(float(loss))
        if (n + 1) % 200 == 0:
            print(f"{n + 1} of {len(plan)}: {np.mean(losses[-200:]):.4f}", flush=True)
    return jax.tree.map(np.asarray, params)


def exported(params, out):
    """Inputs `states` [words, 384] and `case_features` [words, F] of one sentence; output `emissions` [words, 9]."""
    node = lambda kind, inputs, output, **more: helper.make_node(kind, inputs, [output], output, **more)
    nodes = [
        node("MatMul", ["states", "w"], "read"),
        node("MatMul", ["case_features", "case"], "cased"),
        node("Add", ["read", "cased"], "both"),
        node("Add", ["both", "bias"], "linear"),
        node("Relu", ["linear"], "h"),
        # Width 3 as one product of each word's row between its neighbours': a convolution over so few words is slower.
        node("Pad", ["h", "edges"], "padded"),
        node("Slice", ["padded", "first", "last_but_two", "zero"], "before"),
        node("Slice", ["padded", "second_next", "end", "zero"], "after"),
        node("Concat", ["before", "h", "after"], "three", axis=1),
        node("MatMul", ["three", "conv"], "mixed"),
        node("Add", ["mixed", "conv_bias"], "beside"),
        node("Relu", ["beside"], "along"),
        node("Add", ["h", "along"], "sum"),
        node("MatMul", ["sum", "out"], "scored"),
        node("Add", ["scored", "out_bias"], "emissions"),
    ]
    named = {"w": "states", **{name: name for name in ("case", "bias", "conv_bias", "out", "out_bias")}}
    constants = {name: params[of] for name, of in named.items()}
    whole = lambda *values: np.array(values, np.int64)
    constants |= {"conv": params["conv"].reshape(-1, params["conv"].shape[2]), "edges": whole(1, 0, 1, 0), "zero": whole(0)}
    constants |= {"first": whole(0), "last_but_two": whole(-2), "second_next": whole(2), "end": whole(2**31)}
    tensors = [numpy_helper.from_array(np.ascontiguousarray(value), name) for name, value in constants.items()]
    wide = lambda name, size: helper.make_tensor_value_info(name, TensorProto.FLOAT, ["words", size])
    inputs = [wide("states", 384), wide("case_features", params["case"].shape[0])]
    graph = helper.make_graph(nodes, "fast-head", inputs, [wide("emissions", TAGS)], tensors)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), f"{out}.fp32.onnx")
    quantize_dynamic(
        f"{out}.fp32.onnx",
        f"{out}.onnx",
        per_channel=True,
        weight_type=QuantType.QInt8,
        op_types_to_quantize=["MatMul"],
        extra_options={"MatMulConstBOnly": True},
    )
    moves, start = (np.maximum(values, -1e4).astype(float).round(4).tolist() for values in chain_of(params))
    about = {"transitions": moves, "start": start, "window": data.WINDOW, "features": params["case"].shape[0]}
    json.dump(about, open(f"{out}.json", "w"))


def measured(out, corpus, states):
    head, about = onnxruntime.InferenceSession(f"{out}.onnx"), json.load(open(f"{out}.json"))
    moves, start = np.array(about["transitions"], np.float32), np.array(about["start"], np.float32)
    tags = np.zeros(len(corpus.tags), np.int8)
    for a, b in zip(corpus.starts[:-1], corpus.starts[1:]):
        feeds = {"states": states[a:b].astype(np.float32), "case_features": corpus.features[a:b].astype(np.float32)}
        tags[a:b] = viterbi(head.run(None, feeds)[0], moves, start)
    return tags


def main():
    encoder, out, *rest = sys.argv[1:]
    devs, sets = rest[: rest.index("--")], rest[rest.index("--") + 1 :]
    session, parts, sentences, at = third_layer(encoder), [], [], 0
    for name in sets:
        path, _, every = name.partition("*")
        corpus = data.read(path)
        if every:
            corpus = data.chosen(corpus, corpus.articles % int(every) == 0)
        parts.append((states_of(session, corpus), corpus.features, corpus.tags))
        sentences += [(at + a, at + b) for a, b in zip(corpus.starts[:-1], corpus.starts[1:])]
        at += len(corpus.tags)
        print(f"{name}: {len(corpus.tags)} words", flush=True)
    arrays = [np.concatenate(values) for values in zip(*parts)]
    exported(trained(arrays, sentences, arrays[1].shape[1]), out)
    for path in devs:
        corpus = data.read(path)
        tags = measured(out, corpus, states_of(session, corpus))
        tags.tofile(f"{out}-{path.split('/')[-1]}.tags")
        print(f"{path}: about {f1(corpus, tags):.2f}, events {f1(corpus, tags, (4,)):.2f}", flush=True)


main()
