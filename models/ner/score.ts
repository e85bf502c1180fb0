/**
 * Exact-span figures of tags that `predict.py` wrote for a labelled file, by the service's rules; with `consistency`
 * also over groups of sentences, as over articles. `npx tsx models/ner/score.ts FILE.bio.gz TAGS [GROUP]`
 */
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { parsePlaces, placeNamed } from '../../src/language/places/places.ts'
import { cleanSpan } from '../../src/language/recogniser/clean.ts'
import { consistent, type NamedSentence } from '../../src/language/recogniser/consistency.ts'
import { factsOf, parseLexicon } from '../../src/language/recogniser/lexicon.ts'
import { spansOfTags, TAGS, tagsOfSpans, type WordSpan } from '../../src/language/recogniser/tags.ts'
import { words } from '../../src/language/recogniser/words.ts'
import { spanScore } from '../../src/quality/ner-score.ts'
import { parseBio } from '../../src/quality/bio-file.ts'

const [file = '', tagFile = '', group = '0'] = process.argv.slice(2)
const text = (path: string | URL): string => gunzipSync(readFileSync(path)).toString('utf8')
const lexicon = parseLexicon(text(new URL('lexicon.tsv.gz', import.meta.url)))
const places = parsePlaces(text(new URL('../places/places.tsv.gz', import.meta.url)))
const rules = {
  isPlace: (word: string): boolean => placeNamed(places, word) !== undefined,
  isCommon: (word: string): boolean => {
    const { lowered } = factsOf(lexicon, word)
    return lowered >= 2 && lowered <= 6
  },
}

/** A sentence of the file, its words and to which of the file's tokens each belongs. */
const sentences = parseBio(text(file)).map(({ tokens, labels }) => {
  const split = tokens.map((token) => words(token, 0, token.length).texts)
  return { labels, tokens, words: split.flat(), owners: split.flatMap((texts, i) => texts.map(() => i)) }
})

/** Names over words to labels over the file's own tokens, each as a whole. */
function labelsOf({ owners, tokens }: (typeof sentences)[number], spans: readonly WordSpan[]): string[] {
  let free = 0
  const named = spans.flatMap(({ type, start, end }) => {
    const from = Math.max(free, owners[start] ?? 0)
    free = (owners[end - 1] ?? 0) + 1
    return from < free ? [{ type, start: from, end: free }] : []
  })
  return tagsOfSpans(named, tokens.length).map((tag) => TAGS[tag] ?? 'O')
}

const raw = readFileSync(tagFile)
const tags = new Int8Array(raw.buffer, raw.byteOffset, raw.length)
let at = 0
const named = sentences.map(({ words: texts }): NamedSentence => {
  const own = tags.subarray(at, (at += texts.length))
  return { words: texts, spans: spansOfTags(own).flatMap((span) => cleanSpan(texts, span) ?? []) }
})

function report(name: string, answers: readonly (readonly WordSpan[])[]): void {
  const gold = sentences.map(({ labels }) => labels)
  const given = sentences.map((sentence, i) => labelsOf(sentence, answers[i] ?? []))
  const percent = (value: number): string => (100 * value).toFixed(1)
  const [all, ...types] = [['PER', 'ORG', 'LOC'], ['PER'], ['ORG'], ['LOC'], ['EVENT']].map((of) => {
    const { f1, precision, recall } = spanScore(gold, given, new Set(of))
    return `${of.length === 1 ? `${of[0] ?? ''} ` : ''}${percent(f1)} (P ${percent(precision)} R ${percent(recall)})`
  })
  console.log(`${name}: ${all ?? ''}; ${types.join(', ')}`)
}

report(
  file.split('/').pop() ?? file,
  named.map(({ spans }) => spans),
)
const size = Number(group)
if (size > 0) {
  const groups = Array.from({ length: Math.ceil(named.length / size) }, (_, i) => named.slice(i * size, (i + 1) * size))
  report(
    `  consistent by ${size}`,
    groups.flatMap((part) => consistent(part, rules)),
  )
}
