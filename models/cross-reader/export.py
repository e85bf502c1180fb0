"""The reader as the service runs it: `python export.py WEIGHTS.pkl OUT` writes OUT/reader.onnx: int8 per
channel, weights of 7 bits."""

import os
import pickle
import sys
import tempfile
from pathlib import Path

import jax
import numpy as np
from onnx import TensorProto, checker, helper, save
from onnxruntime.quantization import QuantType, quantize_dynamic

import layers

sys.path.insert(0, str(Path(__file__).parent.parent / "ner"))
import model  # noqa: E402


def loaded(folder, name):
    """A module of a folder beside this one: this folder has an `export`, too."""
    import importlib.util

    spec = importlib.util.spec_from_file_location(f"{folder}_{name}", Path(__file__).parent.parent / folder / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


ner = loaded("ner", "export")


OUTSIDE = 0.6  # added to the score of O


def graph_of(params):
    """Vectors of pieces, `words` [1, n, 384] -> scores of tags and the states of the last layer."""
    g = ner.Graph()
    length = g.add("Slice", [g.add("Shape", ["words"]), g.ints(1), g.ints(2)])
    positions = g.add("Slice", [g.constant("positions", params["positions"]), g.ints(0), length, g.ints(0)])
    x = g.norm(g.add("Add", ["words", positions]), "norm", params["norm"])
    for k, p in enumerate(params["layers"], 1):
        x = ner.layer(g, x, f"layer{k}", p)
    head = g.add("MatMul", [x, g.constant("head.w", params["head"]["w"])], "head_matmul")
    g.add("Add", [head, g.constant("head.b", params["head"]["b"])], "emissions")
    value = lambda name, size: helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, "n", size])
    outputs = [value("emissions", model.TAGS), value(x, layers.HIDDEN)]
    graph = helper.make_graph(g.nodes, "reader", [value("words", layers.HIDDEN)], outputs, list(g.constants.values()))
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)


def main():
    weights, out = sys.argv[1:3]
    params = jax.tree.map(lambda x: np.asarray(x, np.float32), pickle.load(open(weights, "rb")))
    # Events are labelled in no other language than English.
    params["head"]["b"] = params["head"]["b"].copy()
    params["head"]["b"][0] += OUTSIDE
    params["head"]["b"][7:] = -1e4
    whole = graph_of(params)
    checker.check_model(whole)
    with tempfile.TemporaryDirectory() as folder:
        save(whole, f"{folder}/fp32.onnx")
        quantize_dynamic(
            f"{folder}/fp32.onnx", f"{out}/reader.onnx", per_channel=True, reduce_range=True, weight_type=QuantType.QInt8,
            op_types_to_quantize=["MatMul"], nodes_to_exclude=["head_matmul"], extra_options={"MatMulConstBOnly": True},
        )  # fmt: skip
    print(f"{out}/reader.onnx: {os.path.getsize(f'{out}/reader.onnx')} bytes")


main()
