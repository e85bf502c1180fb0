"""Everything that training reads, small enough to carry: `python pack.py E5.bin PREPARED OUT.npz`.

Pieces that no text has are left out of the table of word vectors, and the others numbered anew.
"""

import sys
from pathlib import Path

import numpy as np

sys.path[:0] = [str(Path(__file__).parent.parent / name) for name in ("ner", "cross-language")]
import data  # noqa: E402
from convert import Source  # noqa: E402

MARKS = [0, 2, 250_001]  # <s>, </s>, <mask>


def main():
    source, folder, out = Source(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
    corpora = {path.stem: data.read(path) for path in sorted(folder.glob("*.bin"))}
    used = np.unique(np.concatenate([np.array(MARKS), *(corpus.pieces for corpus in corpora.values())]))
    rows = np.frombuffer(source.raw("emb.word"), np.uint8).reshape(int(source.vocabulary), -1)
    found = {"used": used.astype(np.int32), "rows": rows[used]}
    for name, (start, length, _) in source.tensors.items():
        if name != "emb.word":
            found[f"e5.{name}"] = np.frombuffer(source.bytes[start : start + length], np.uint8)
    for name, corpus in corpora.items():
        found[f"{name}.articles"] = corpus.articles
        found[f"{name}.starts"] = corpus.starts.astype(np.int32)
        found[f"{name}.tags"] = corpus.tags
        found[f"{name}.piece_starts"] = corpus.piece_starts.astype(np.int32)
        found[f"{name}.pieces"] = np.searchsorted(used, corpus.pieces).astype(np.int32)
    np.savez_compressed(out, **found)
    print(f"{out}: {len(used)} pieces, {Path(out).stat().st_size >> 20} MB")


main()
