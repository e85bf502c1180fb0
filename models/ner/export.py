"""Weights to the service's model: `python export.py WEIGHTS.pkl OUT` writes OUT.onnx (int8 per channel) and OUT.json."""

import json
import os
import pickle
import sys
import tempfile

import numpy as np
from onnx import TensorProto, checker, helper, numpy_helper, save
from onnxruntime.quantization import QuantType, quantize_dynamic

import data
import model
from predict import legal_moves

DEPTH = model.HIDDEN // model.HEADS


class Graph:
    """Nodes and constants of an ONNX graph under one name each."""

    def __init__(self):
        self.nodes, self.constants, self.n = [], {}, 0

    def constant(self, name, value):
        self.constants.setdefault(name, numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def add(self, kind, inputs, name=None, **attributes):
        self.n += 1
        name = name or f"{kind}_{self.n}"
        self.nodes.append(helper.make_node(kind, inputs, [name], name, **attributes))
        return name

    def ints(self, *values):
        return self.constant("_".join(["ints", *map(str, values)]), np.array(values, np.int64))

    def affine(self, x, name, p):
        x = self.add("MatMul", [x, self.constant(f"{name}.w", p["w"])])
        return self.add("Add", [x, self.constant(f"{name}.b", p["b"])])

    def norm(self, x, name, p, output=None):
        scale, shift = self.constant(f"{name}.g", p["g"]), self.constant(f"{name}.b", p["b"])
        return self.add("LayerNormalization", [x, scale, shift], output, axis=-1, epsilon=model.EPSILON)


def heads(g, qkv, part, order):
    """Query, key or value of [1, n, 3 x hidden] as [1, heads, n, depth], or the last two the other way round."""
    low, high = g.ints(part * model.HIDDEN), g.ints((part + 1) * model.HIDDEN)
    x = g.add("Slice", [qkv, low, high, g.ints(2)])
    x = g.add("Reshape", [x, g.ints(1, -1, model.HEADS, DEPTH)])
    return g.add("Transpose", [x], perm=order)


def layer(g, x, name, p):
    """
    One layer, whose output has its name. Sum, not Add: the runtime's node that joins Add and norm takes four times as long
    as the two.
    """
    query = {"w": p["qkv"]["w"].copy(), "b": p["qkv"]["b"].copy()}
    query["w"][:, : model.HIDDEN] /= np.sqrt(DEPTH)  # the scores' scale, once and for all
    query["b"][: model.HIDDEN] /= np.sqrt(DEPTH)
    qkv = g.affine(x, f"{name}.qkv", query)
    q, k, v = heads(g, qkv, 0, [0, 2, 1, 3]), heads(g, qkv, 1, [0, 2, 3, 1]), heads(g, qkv, 2, [0, 2, 1, 3])
    mixed = g.add("MatMul", [g.add("Softmax", [g.add("MatMul", [q, k])], axis=-1), v])
    mixed = g.add("Reshape", [g.add("Transpose", [mixed], perm=[0, 2, 1, 3]), g.ints(1, -1, model.HIDDEN)])
    x = g.norm(g.add("Sum", [x, g.affine(mixed, f"{name}.attended", p["attended"])]), f"{name}.norm1", p["norm1"])
    wide = g.affine(x, f"{name}.up", p["up"])
    wide = g.add("Gelu", [wide])
    return g.norm(g.add("Sum", [x, g.affine(wide, f"{name}.down", p["down"])]), f"{name}.norm2", p["norm2"], name)


def graph_of(params, states=False):
    """The network; with `states`, those of its last layer are an output, too."""
    g, size = Graph(), params["case"].shape[0]
    x = g.add("Gather", [g.constant("words", params["words"]), "input_ids"])
    length = g.add("Slice", [g.add("Shape", ["input_ids"]), g.ints(1), g.ints(2)])
    positions = g.add("Slice", [g.constant("positions", params["positions"]), g.ints(0), length, g.ints(0)])
    cased = g.add("MatMul", ["case_features", g.constant("case", params["case"])], "case_matmul")
    x = g.add("Add", [g.add("Add", [x, positions]), cased])
    x = g.norm(x, "norm", params["norm"])
    for k, p in enumerate(params["layers"], 1):
        x = layer(g, x, f"layer{k}", p)
    head = g.add("MatMul", [x, g.constant("head.w", params["head"]["w"])], "head_matmul")
    g.add("Add", [head, g.constant("head.b", params["head"]["b"])], "emissions")
    wide = lambda name, kind, *last: helper.make_tensor_value_info(name, kind, [1, "n", *last])
    inputs = [wide("input_ids", TensorProto.INT64), wide("case_features", TensorProto.FLOAT, size)]
    outputs = [wide("emissions", TensorProto.FLOAT, model.TAGS)]
    if states:
        outputs.append(wide(x, TensorProto.FLOAT, model.HIDDEN))
    graph = helper.make_graph(g.nodes, "tagger", inputs, outputs, list(g.constants.values()))
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)


def write(params, out, states=False, **about):
    """OUT.onnx in int8 per channel, and OUT.json: the chain, the number of features, and what is passed."""
    whole = graph_of(params, states)
    checker.check_model(whole)
    with tempfile.TemporaryDirectory() as folder:
        save(whole, f"{folder}/fp32.onnx")
        # The head and the case matrix are small, and what they read is not like the rest: they stay as they are.
        quantize_dynamic(
            f"{folder}/fp32.onnx",
            f"{out}.onnx",
            per_channel=True,
            weight_type=QuantType.QInt8,
            op_types_to_quantize=["MatMul", "Gather"],
            nodes_to_exclude=["head_matmul", "case_matmul"],
            extra_options={"MatMulConstBOnly": True},
        )
    moves, start = legal_moves()
    chain = {"transitions": moves.tolist(), "start": start.tolist(), **about, "features": int(params["case"].shape[0])}
    json.dump(chain, open(f"{out}.json", "w"))
    print(f"{out}.onnx: {os.path.getsize(f'{out}.onnx')} bytes")


def main():
    write(pickle.load(open(sys.argv[1], "rb")), sys.argv[2], window=data.WINDOW)


if __name__ == "__main__":
    main()
