"""States of the reader's layers, made the way the service makes them: int8, its own words, pieces and windows."""
import json
import os
import pickle
import subprocess
from pathlib import Path

import numpy as np
import onnxruntime as ort
from onnx import TensorProto, helper, ModelProto

DIM = 384
LAYERS = [2, 3, 4]
PROJECT = Path(__file__).parents[2]
READER = PROJECT / "models/reader/reader.onnx"
LONGEST = 256  # pieces of a text that are learned from
FEATURES = json.loads(READER.with_suffix(".json").read_text())["features"]  # of a word


def state_name(layer):
    """How the reader calls what a layer gives to the next one."""
    return f"layer{layer}"


def merged(model, nodes, outputs, initializers=()):
    """Two protobuf messages one behind the other are parsed as one: nothing of the reader's graph changes."""
    extra = ModelProto()
    extra.graph.node.extend(nodes)
    extra.graph.initializer.extend(initializers)
    extra.graph.output.extend(outputs)
    return model + extra.SerializeToString()


def open_session():
    named = [f"state_{layer}" for layer in LAYERS]
    nodes = [helper.make_node("Identity", [state_name(layer)], [name]) for layer, name in zip(LAYERS, named)]
    outputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [None, None, DIM]) for name in named]
    options = ort.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    model = merged(READER.read_bytes(), nodes, outputs)
    session = ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    return lambda feeds: np.concatenate([layer[0] for layer in session.run(named, feeds)], 1)


class States:
    """float16[positions, layers x DIM] of all texts one behind the other; kept in files between runs."""

    def __init__(self, texts, model, path):
        """`path` without an ending."""
        if not os.path.exists(f"{path}.npy"):
            make(texts, model, path)
        self.all = np.load(f"{path}.npy", mmap_mode="r")
        with open(f"{path}.pkl", "rb") as file:
            self.places = pickle.load(file)  # text -> (first position, positions, words)

    def target(self, row):
        """Positions of the row's target; none when no word that was read is in it."""
        _, _, words = self.places[row.text]
        return [i for i, (start, end) in enumerate(words) if start < row.end and end > row.start]


def inputs_of(texts, model):
    """What `inputs.ts` says of each text."""
    tokenizer = f"{model}/all-minilm-l6-v2-q-tokenizer.json"
    lines = "".join(json.dumps(text) + "\n" for text in texts)
    command = ["npx", "tsx", "models/sentiment/inputs.ts", os.path.abspath(tokenizer)]
    done = subprocess.run(command, cwd=PROJECT, input=lines, capture_output=True, text=True, check=True)
    return map(json.loads, done.stdout.splitlines())


def make(texts, model, path):
    run = open_session()
    found, places, at = [], {}, 0
    for text, given in zip(texts, inputs_of(texts, model), strict=True):
        for window in given["windows"]:
            bits = np.array(window["features"], np.int64)[:, None] >> np.arange(FEATURES) & 1
            feeds = {"input_ids": np.array([window["ids"]], np.int64), "case_features": bits[None].astype(np.float32)}
            found.append(run(feeds)[1:-1].astype(np.float16))  # without the marks
        places[text] = (at, min(LONGEST, len(given["words"])), given["words"][:LONGEST])
        at += len(given["words"])
    # The places come first: where there are states, there are places.
    with open(f"{path}.pkl", "wb") as file:
        pickle.dump(places, file)
    np.save(f"{path}.npy", np.concatenate(found))
