"""States of inner layers, made the way the service makes them: the int8 model, one sentence at a time."""
import os
import pickle

import numpy as np
import onnxruntime as ort
from onnx import TensorProto, helper, ModelProto
from tokenizers import Tokenizer

DIM = 384
LAYERS = [3, 6]
WINDOW, READ_CHARS = 126, 1200  # as src/adapters/onnx/windows.ts
CLS, SEP = 101, 102


def state_name(layer):
    """How the published model calls what a layer gives to the next one."""
    return "last_hidden_state" if layer == 6 else f"/encoder/layer.{layer - 1}/output/LayerNorm/Add_1_output_0"


def merged(model, nodes, outputs, initializers=()):
    """Two protobuf messages one behind the other are parsed as one: nothing of the published graph changes."""
    extra = ModelProto()
    extra.graph.node.extend(nodes)
    extra.graph.initializer.extend(initializers)
    extra.graph.output.extend(outputs)
    return model + extra.SerializeToString()


def open_session(path):
    inner = [layer for layer in LAYERS if layer != 6]
    nodes = [helper.make_node("Identity", [state_name(layer)], [f"layer_{layer}"]) for layer in inner]
    outputs = [helper.make_tensor_value_info(f"layer_{layer}", TensorProto.FLOAT, [None, None, DIM]) for layer in inner]
    options = ort.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    with open(path, "rb") as file:
        model = merged(file.read(), nodes, outputs)
    return ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def words_of(encoding):
    """Where each piece's word stands: the service knows no places within a word."""
    extent = {}
    for word, (start, end) in zip(encoding.word_ids, encoding.offsets):
        low, high = extent.get(word, (start, end))
        extent[word] = (min(low, start), max(high, end))
    return [extent[word] for word in encoding.word_ids][:WINDOW]


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
        """Positions of the row's target; none when it does not stand in the window."""
        _, _, words = self.places[row.text]
        return [i + 1 for i, (start, end) in enumerate(words) if start < row.end and end > row.start]


def make(texts, model, path):
    session = open_session(f"{model}/all-minilm-l6-v2-q.onnx")
    tokenizer = Tokenizer.from_file(f"{model}/all-minilm-l6-v2-q-tokenizer.json")
    tokenizer.no_padding()
    tokenizer.no_truncation()
    outputs = ["last_hidden_state" if layer == 6 else f"layer_{layer}" for layer in LAYERS]
    found, places, at = [], {}, 0
    for text in texts:
        encoding = tokenizer.encode(text[:READ_CHARS], add_special_tokens=False)
        ids = np.array([[CLS, *encoding.ids[:WINDOW], SEP]], np.int64)
        feeds = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        states = np.concatenate([layer[0] for layer in session.run(outputs, feeds)], 1).astype(np.float16)
        found.append(states)
        places[text] = (at, len(states), words_of(encoding))
        at += len(states)
    # The places come first: where there are states, there are places.
    with open(f"{path}.pkl", "wb") as file:
        pickle.dump(places, file)
    np.save(f"{path}.npy", np.concatenate(found))
