import { gunzipSync } from 'node:zlib'

/** A text as pieces of a SentencePiece vocabulary, without special tokens. Each list has one entry per piece. */
export interface UnigramPieces {
  /** Index in the vocabulary; -1 for a character that it does not have. */
  readonly indexes: readonly number[]
  /** Character offsets in the text, end exclusive. A piece of one space is empty at the place of the next character. */
  readonly starts: readonly number[]
  readonly ends: readonly number[]
}

/** Stands for a space, as the vocabulary writes it. */
const SPACE_MARK = 0x2581
const SPACE = 0x20

/** What an unknown character costs beyond the least likely piece, as in SentencePiece. */
const UNKNOWN_PENALTY = 10

/**
 * A Unigram tokeniser (Kudo 2018, arXiv:1804.10959): the most likely split of a text into pieces. `file` is
 * `models/cross-language/pieces.bin.gz`. The vocabulary is kept in arrays of about 10 MB; as objects, 250,000 pieces take
 * 260 MB. The text should be in Unicode normal form C: the vocabulary's own table replaces single characters only.
 */
export function openUnigram(file: Uint8Array): (text: string) => UnigramPieces {
  const vocabulary = readVocabulary(gunzipSync(file))
  return (text) => split(vocabulary, normalised(vocabulary, text))
}

interface UnigramVocabulary {
  /** UTF-8 of all pieces, one after another. */
  readonly bytes: Uint8Array
  /** Where each piece begins; one more entry than pieces. */
  readonly offsets: Uint32Array
  /** Natural logarithm of each piece's probability. */
  readonly scores: Float32Array
  /** Score of an unknown character. */
  readonly unknownScore: number
  /** Open addressing by hash: index of a piece plus one; 0 is free. The length is a power of 2. */
  readonly table: Int32Array
  /** Bits by hash: 0 where no piece begins with these characters. */
  readonly prefixes: Uint32Array
  /** What a character is replaced by, as code points. */
  readonly replacements: ReadonlyMap<number, readonly number[]>
}

/** See `pieces_file` in `models/cross-language/convert.py`. */
function readVocabulary(file: Buffer): UnigramVocabulary {
  const [count, unknown, replaced, size] = [0, 4, 8, 12].map((at) => file.readUInt32LE(at)) as [
    number,
    number,
    number,
    number,
  ]
  let at = 16
  const offsets = new Uint32Array(count + 1)
  for (let i = 0; i < count; i++) offsets[i + 1] = (offsets[i] ?? 0) + file.readUInt8(at++)
  const scores = Float32Array.from({ length: count }, (_, i) => file.readFloatLE(at + 4 * i))
  at += 4 * count
  const bytes = Uint8Array.from(file.subarray(at, at + size))
  at += size
  const replacements = new Map<number, readonly number[]>()
  for (let i = 0; i < replaced; i++) {
    const [from, length] = [file.readUInt32LE(at), file.readUInt8(at + 4)]
    at += 5
    replacements.set(
      from,
      Array.from({ length }, (_, k) => file.readUInt32LE(at + 4 * k)),
    )
    at += 4 * length
  }
  return {
    ...{ bytes, offsets, scores, replacements, ...hashTables({ bytes, offsets }, unknown) },
    unknownScore: scores.reduce((least, score) => Math.min(least, score), Infinity) - UNKNOWN_PENALTY,
  }
}

/** FNV-1a, 32 bits, one byte further. */
const HASH_BASIS = 0x811c9dc5
const hashed = (hash: number, byte: number): number => Math.imul(hash ^ byte, 0x01000193)
/** The last multiplication leaves the low bits of similar pieces alike. */
const mixed = (hash: number): number => hash ^ (hash >>> 15)

/** 2 MB, of which the prefixes of 250,000 pieces fill a twentieth. */
const PREFIX_BITS = 2 ** 24
const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80

type UnigramTables = Pick<UnigramVocabulary, 'table' | 'prefixes'>

/** The tables without the special tokens: the pieces up to `unknown`, and the last one. */
function hashTables({ bytes, offsets }: Pick<UnigramVocabulary, 'bytes' | 'offsets'>, unknown: number): UnigramTables {
  const count = offsets.length - 1
  const table = new Int32Array(2 ** Math.ceil(Math.log2(count * 2)))
  const prefixes = new Uint32Array(PREFIX_BITS / 32)
  for (let piece = 0; piece < count; piece++) {
    if (piece <= unknown || piece === count - 1) continue // special tokens: `<s>`, `<pad>`, `</s>`, `<unk>`, `<mask>`
    let slot = mixed(addPrefixes(prefixes, bytes.subarray(offsets[piece], offsets[piece + 1]))) & (table.length - 1)
    while (table[slot] !== 0) slot = (slot + 1) & (table.length - 1)
    table[slot] = piece + 1
  }
  return { table, prefixes }
}

/** Adds the first characters of a piece, for each number of characters. Returns the hash of the whole piece. */
function addPrefixes(prefixes: Uint32Array, piece: Uint8Array): number {
  let hash = HASH_BASIS
  for (const [at, byte] of piece.entries()) {
    hash = hashed(hash, byte)
    if (isContinuation(piece[at + 1])) continue
    const bit = mixed(hash) & (PREFIX_BITS - 1)
    prefixes[bit >>> 5] = (prefixes[bit >>> 5] ?? 0) | (1 << (bit & 31))
  }
  return hash
}

function isPrefix(prefixes: Uint32Array, hash: number): boolean {
  const bit = mixed(hash) & (PREFIX_BITS - 1)
  return ((prefixes[bit >>> 5] ?? 0) & (1 << (bit & 31))) !== 0
}

/** A text as the vocabulary writes it: UTF-8, and for each character where it begins there and in the text. */
interface UnigramText {
  readonly bytes: Uint8Array
  /** One more entry than characters. */
  readonly offsets: readonly number[]
  /** Offset in the text of each character, and the length of the text. */
  readonly places: readonly number[]
}

/** Replaces characters, joins spaces and marks them; a text begins with a space. */
function normalised({ replacements }: UnigramVocabulary, text: string): UnigramText {
  const points: number[] = []
  const places: number[] = []
  let place = 0
  const add = (point: number, at: number): void => {
    if (point === SPACE && points.at(-1) === SPACE_MARK) return
    points.push(point === SPACE ? SPACE_MARK : point)
    places.push(at)
  }
  add(SPACE, 0)
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0
    const replaced = replacements.get(point)
    if (replaced === undefined) add(point, place)
    else for (const one of replaced) add(one, place)
    place += character.length
  }
  const bytes = new Uint8Array(points.length * 4)
  const offsets = [0]
  let end = 0
  for (const point of points) {
    end = writeUtf8(bytes, point, end)
    offsets.push(end)
  }
  return { bytes: bytes.subarray(0, end), offsets, places: [...places, place] }
}

/** Writes a code point at an offset. Returns the offset after it. */
function writeUtf8(bytes: Uint8Array, point: number, at: number): number {
  if (point < 0x80) {
    bytes[at] = point
    return at + 1
  }
  const following = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3
  bytes[at] = ((0xff00 >> (following + 1)) & 0xff) | (point >> (6 * following))
  for (let i = 1; i <= following; i++) bytes[at + i] = 0x80 | ((point >> (6 * (following - i))) & 0x3f)
  return at + following + 1
}

/** The best way to each character: its score, the last piece and where that begins. */
interface UnigramPaths {
  readonly scores: Float64Array
  readonly pieces: Int32Array
  readonly from: Int32Array
}

/** Viterbi over the characters of a text. */
function split(vocabulary: UnigramVocabulary, text: UnigramText): UnigramPieces {
  const count = text.offsets.length - 1
  const paths: UnigramPaths = {
    scores: new Float64Array(count + 1).fill(-Infinity),
    pieces: new Int32Array(count + 1).fill(-1),
    from: new Int32Array(count + 1),
  }
  paths.scores[0] = 0
  for (let character = 0; character < count; character++) follow(vocabulary, { text, paths }, character)
  return walkBack(paths, text)
}

interface UnigramSearch {
  readonly text: UnigramText
  readonly paths: UnigramPaths
}

/** Extends the best way to a character by every piece that begins there, and by an unknown character. */
function follow(vocabulary: UnigramVocabulary, { text, paths }: UnigramSearch, character: number): void {
  const before = paths.scores[character] ?? 0
  for (const { piece, to } of piecesAt(vocabulary, text, character)) {
    const score = before + (piece < 0 ? vocabulary.unknownScore : (vocabulary.scores[piece] ?? 0))
    if (score <= (paths.scores[to] ?? 0)) continue
    paths.scores[to] = score
    paths.pieces[to] = piece
    paths.from[to] = character
  }
}

interface PieceInText {
  readonly piece: number
  /** The character after its last one. */
  readonly to: number
}

/** The pieces that begin at a character, and the unknown character. */
function piecesAt(vocabulary: UnigramVocabulary, { offsets, bytes }: UnigramText, character: number): PieceInText[] {
  const found: PieceInText[] = []
  const begin = offsets[character] ?? 0
  let [hash, read] = [HASH_BASIS, begin]
  for (let to = character + 1; to < offsets.length; to++) {
    const end = offsets[to] ?? 0
    for (; read < end; read++) hash = hashed(hash, bytes[read] ?? 0)
    if (!isPrefix(vocabulary.prefixes, hash)) break
    const piece = pieceAt(vocabulary, hash, { bytes, begin, end })
    if (piece >= 0) found.push({ piece, to })
  }
  found.push({ piece: -1, to: character + 1 })
  return found
}

/** Bytes of a text, end exclusive. */
interface UnigramPart {
  readonly bytes: Uint8Array
  readonly begin: number
  readonly end: number
}

/** Index of a piece, or -1. */
function pieceAt(vocabulary: UnigramVocabulary, hash: number, part: UnigramPart): number {
  const { table } = vocabulary
  for (let slot = mixed(hash) & (table.length - 1); ; slot = (slot + 1) & (table.length - 1)) {
    const index = (table[slot] ?? 0) - 1
    if (index < 0 || isPiece(vocabulary, index, part)) return index
  }
}

function isPiece({ offsets, bytes }: UnigramVocabulary, index: number, part: UnigramPart): boolean {
  const start = offsets[index] ?? 0
  const length = part.end - part.begin
  if ((offsets[index + 1] ?? 0) - start !== length) return false
  for (let i = 0; i < length; i++) if (bytes[start + i] !== part.bytes[part.begin + i]) return false
  return true
}

/** Where the piece before a character begins. Unknown characters after one another are one piece. */
function beginOf({ pieces, from }: Pick<UnigramPaths, 'pieces' | 'from'>, end: number): number {
  let begin = from[end] ?? 0
  if (pieces[end] === -1) while (begin > 0 && pieces[begin] === -1) begin = from[begin] ?? 0
  return begin
}

function walkBack({ pieces, from }: UnigramPaths, { places }: UnigramText): UnigramPieces {
  const ends: number[] = []
  for (let end = pieces.length - 1; end > 0; end = beginOf({ pieces, from }, end)) ends.push(end)
  ends.reverse()
  return {
    indexes: ends.map((end) => pieces[end] ?? -1),
    starts: ends.map((end) => places[beginOf({ pieces, from }, end)] ?? 0),
    ends: ends.map((end) => places[end] ?? 0),
  }
}
