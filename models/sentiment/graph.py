"""The part of the network that the reader's own session computes: nodes that are merged into its model."""
import numpy as np
from onnx import TensorProto, helper, numpy_helper

from states import LAYERS, merged, state_name

OUTPUT = "sentiment_states"
GELU = np.sqrt(2 / np.pi)


class Nodes:
    """Nodes and constants under names of our own."""

    def __init__(self):
        self.nodes, self.constants = [], []

    def constant(self, values, kind=np.float32):
        name = f"sentiment_constant_{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.asarray(values, kind), name))
        return name

    def add(self, operator, *inputs, output=None, **attributes):
        output = output or f"sentiment_{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, inputs, [output], **attributes))
        return output

    def gelu(self, x):
        """By its approximation with tanh: x / 2 (1 + tanh(c (x + 0.044715 x^3)))."""
        cube = self.add("Mul", self.add("Mul", x, x), x)
        inner = self.add("Mul", self.add("Add", x, self.add("Mul", cube, self.constant(0.044715))), self.constant(GELU))
        opened = self.add("Add", self.add("Tanh", inner), self.constant(1))
        return self.add("Mul", self.add("Mul", x, self.constant(0.5)), opened)


def graph(view, params):
    """A model of nothing but our nodes, as bytes. `view` maps states to inputs of the network: (weights, bias)."""
    weights, bias = view
    nodes = Nodes()
    states = nodes.add("Concat", *[state_name(layer) for layer in LAYERS], axis=-1)
    mapped = nodes.add("MatMul", states, nodes.constant(weights @ params["map"]))
    seen = nodes.gelu(nodes.add("Add", mapped, nodes.constant(bias @ params["map"] + params["map_bias"])))
    # Three maps at once, then each moved to the piece that it speaks to.
    width = params["map"].shape[1]
    spread = nodes.add("MatMul", seen, nodes.constant(np.concatenate(list(params["near"]), 1)))
    padded = nodes.add("Pad", spread, nodes.constant([0, 1, 0, 0, 1, 0], np.int64))
    parts = [
        nodes.add(
            "Slice",
            padded,
            nodes.constant([i, i * width], np.int64),
            nodes.constant([np.iinfo(np.int64).max if i == 2 else i - 2, (i + 1) * width], np.int64),
            nodes.constant([1, 2], np.int64),
        )
        for i in range(3)
    ]
    near = nodes.add("Add", nodes.add("Add", nodes.add("Add", *parts[:2]), parts[2]), nodes.constant(params["near_bias"]))
    nodes.add("Add", seen, nodes.gelu(near), output=OUTPUT)
    described = helper.make_tensor_value_info(OUTPUT, TensorProto.FLOAT, [None, None, width])
    return merged(b"", nodes.nodes, [described], nodes.constants)
