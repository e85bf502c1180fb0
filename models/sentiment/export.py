"""Writes what the service reads (src/language/sentiment/targeted-file.ts): a graph for the encoder, and tensors."""
import gzip
import json
import struct

import numpy as np

from graph import graph


def write(path, view, params, calibration):
    nodes = graph(view, params)
    tensors = {}
    heads = len(params["query"])
    for head in range(heads):
        tensors[f"attention.{head}.query.weights"] = params["query"][head].T
        tensors[f"attention.{head}.query.bias"] = params["query_bias"][head]
        tensors[f"attention.{head}.key"] = params["key"][head]
        tensors[f"attention.{head}.distance"] = params["distance"][head]
    tensors["hidden.weights"], tensors["hidden.bias"] = params["hidden"].T, params["hidden_bias"]
    # The calibration is a part of the last layer.
    tensors["output.weights"] = params["output"].T * calibration.scale
    tensors["output.bias"] = params["output_bias"] * calibration.scale + calibration.bias
    tensors["direct"] = params["direct"].T * calibration.scale
    head = {
        "width": params["map"].shape[1],
        "heads": heads,
        "graph": len(nodes),
        "tensors": [{"name": name, "shape": list(np.shape(value))} for name, value in tensors.items()],
    }
    text = json.dumps(head).encode()
    values = b"".join(np.ascontiguousarray(value, "<f4").tobytes() for value in tensors.values())
    with open(path, "wb") as file:
        file.write(gzip.compress(struct.pack("<I", len(text)) + text + nodes + values, 9, mtime=0))
