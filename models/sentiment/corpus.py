"""The two labelled sets as rows: a text, where in it the target stands, and what people felt towards it."""
import gzip
import json
import re
import zlib
from dataclasses import dataclass

LABELS = ["negative", "neutral", "positive"]
DECISION = re.compile(r"""(["'])(.+?)\1: ?["'](negative|neutral|positive)["']""")
FOLDS = 5


@dataclass(frozen=True)
class Row:
    text: str
    start: int  # characters; -1: the target does not stand in the text
    end: int
    label: int  # index into LABELS
    part: str  # politics, finance, or dev (NewsMTSC's, never trained on)

    @property
    def fold(self):
        """Rows of one text are in one fold: NewsMTSC repeats a sentence once a mention."""
        return zlib.crc32(self.text.encode()) % FOLDS


def lines(path):
    with gzip.open(path, "rt") as file:
        return [json.loads(line) for line in file]


def place_of(name, text):
    """As src/quality/sentiment.ts: whole words if it can be had, else anywhere."""
    words = r"\s+".join(re.escape(word) for word in name.split())
    found = words and (re.search(rf"(?<!\w){words}(?!\w)", text, re.I) or re.search(words, text, re.I))
    return found.span() if found else (-1, -1)


def newsmtsc(path, part):
    return [Row(r["sentence"], r["from"], r["to"], r["polarity"] + 1, part) for r in lines(path)]


def sentfin(path):
    return [
        Row(r["title"], *place_of(name, r["title"]), LABELS.index(label), "finance")
        for r in lines(path)
        for _, name, label in DECISION.findall(r["decisions"])
    ]


def corpus(folder):
    return [
        *newsmtsc(f"{folder}/newsmtsc-train.jsonl.gz", "politics"),
        *newsmtsc(f"{folder}/newsmtsc-dev.jsonl.gz", "dev"),
        *sentfin(f"{folder}/sentfin-70pct.jsonl.gz"),
    ]
