"""Trains the sentiment over the states of the reader: `python sentiment.py E5.bin PREPARED OUT`, where OUT/reader.onnx is.

Writes OUT/sentiment.bin.gz. The network, its teachers and its calibration are those of models/sentiment.
"""

import json
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnxruntime as ort
from onnx import TensorProto, helper

FOLDER = Path(__file__).parent
sys.path[:0] = [str(FOLDER.parent / name) for name in ("sentiment", "cross-language")]
from calibrate import Calibration, calibrated, macro_f1, report  # noqa: E402
from convert import Source, dequantised  # noqa: E402
from export import write  # noqa: E402, of models/sentiment: this folder is the last to be searched
from states import merged  # noqa: E402
from train import Learning  # noqa: E402
from trainer import CONFIG, Trainer, view_of  # noqa: E402

SETS = {"gerntsa-train": "german", "rusentne-train": "russian", "newsmtsc-train": "english"}
LAYERS = ("layer2", "layer3", "layer4")
HIDDEN = 64
MARKS = (0, 2)
FOLDS = 10


@dataclass(frozen=True)
class Row:
    text: tuple  # pieces
    start: int
    end: int
    label: int
    part: str
    fold: int  # those of 0 are measured on a network that has not seen them


def rows_of(folder):
    rows, folds = [], {}
    for name, part in SETS.items():
        for row in json.loads(Path(f"{folder}/{name}.mentions.json").read_text()):
            text = tuple(row["ids"])
            fold = folds.setdefault(text, len(folds)) % FOLDS
            rows.append(Row(text, row["from"], row["to"], row["polarity"] + 1, part, fold))
    return rows


class States:
    """float16[positions, layers x 384] of all texts, as the service computes them."""

    def __init__(self, texts, reader, source):
        table = np.frombuffer(source.raw("emb.word"), np.uint8).reshape(int(source.vocabulary), -1)
        named = [f"state_{layer}" for layer in LAYERS]
        nodes = [helper.make_node("Identity", [layer], [name]) for layer, name in zip(LAYERS, named)]
        outputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [None, None, 384]) for name in named]
        options = ort.SessionOptions()
        options.intra_op_num_threads = 1
        session = ort.InferenceSession(merged(Path(reader).read_bytes(), nodes, outputs), options, providers=["CPUExecutionProvider"])
        found, self.places, at = [], {}, 0
        for text in texts:
            words = dequantised(table[[MARKS[0], *text, MARKS[1]]].tobytes(), 384)[None].astype(np.float32)
            found.append(np.concatenate([layer[0, 1:-1] for layer in session.run(named, {"words": words})], 1).astype(np.float16))
            self.places[text] = (at, len(text), None)
            at += len(text)
        self.all = np.concatenate(found)

    def target(self, row):
        return list(range(row.start, row.end))


def with_best_bias(logits, labels, parts):
    """The scale by likelihood; the biases by the mean macro-F1 of the sets, since neutral rows are three in four."""
    scaled = logits * calibrated(logits, labels, parts).scale
    steps = np.arange(-1.5, 1.6, 0.25)

    def score(bias):
        answers = (scaled + np.array([bias[0], 0, bias[1]])).argmax(1)
        return np.mean([macro_f1(labels[parts == part], answers[parts == part]) for part in set(parts)])

    negative, positive = max(((n, p) for n in steps for p in steps), key=score)
    return Calibration(calibrated(logits, labels, parts).scale, np.array([negative, 0, positive]))


def main():
    weights, folder, out = sys.argv[1:4]
    rows = rows_of(folder)
    states = States(list(dict.fromkeys(row.text for row in rows)), f"{out}/reader.onnx", Source(weights))
    view = view_of(states.all, CONFIG["inputs"])
    trainer = Trainer([(rows, states)], view)
    learning = Learning(rows, trainer, out)
    parts, folds = learning.parts, learning.folds

    def fit(chosen, seed=0):
        """Rare classes of each set count for more; the rows of English are there for the sake of the others."""
        aims = sum(learning.gold(chosen[parts[chosen] == part]) for part in set(SETS.values()))
        return trainer.fit(chosen, aims, HIDDEN, seed)

    known = np.flatnonzero((folds == 0) & (parts != "english"))
    answers = trainer.predict(fit(np.flatnonzero(folds != 0)), known)
    calibration = with_best_bias(answers, learning.labels[known], parts[known])
    report(calibration, answers, learning.labels[known], parts[known])
    write(f"{out}/sentiment.bin.gz", view, fit(np.arange(len(rows))), calibration)


main()
