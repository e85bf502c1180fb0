import type { Tagger } from '../../ports/reader.ts'
import { once } from '../memoize.ts'
import { modelFile, versionOf } from '../model-files.ts'
import { openEventTable } from '../named-events/event-table.ts'
import { openPlaces, type PlaceTable } from '../places/places.ts'
import { features, bestTags, emissions, type TaggerWeights, parseWeights } from './tagger.ts'
import type { Span } from '../sentences.ts'
import { openLexicon } from './lexicon.ts'
import { type EntitySpan, namedSpans, type NameLists } from './named-spans.ts'
import { readWords } from './words.ts'
import { sentenceFacts } from './sentence.ts'

export interface QuickFiles extends NameLists {
  readonly places: PlaceTable
  readonly weights: TaggerWeights
}

/** Tags of a sentence's words from hashed features alone, without a language model; about 0.05 ms. */
export const quickTags = ({ weights, lexicon, places }: QuickFiles, words: readonly string[]): Uint8Array =>
  bestTags(emissions(weights, features(sentenceFacts(words, lexicon, places))), weights.transitions)

/** Names in a text, without a language model. Excludes named events, because they are not a token type. */
export function quickNames(files: QuickFiles, text: string, sentences: readonly Span[]): EntitySpan[] {
  const read = readWords(text, sentences)
  const tags = read.map(({ words }) => quickTags(files, words.texts))
  return namedSpans(text, { read, tags }, { ...files, events: null }).flat()
}

export const quickTagger = (model: string, files: QuickFiles): Tagger => ({
  model,
  tags: (sentences) => Promise.resolve(sentences.map(({ words }) => quickTags(files, words.texts))),
})

/** Loads the committed weights, word list and places; takes about 150 ms and 30 MB. */
export const openQuickFiles = once((): { readonly files: QuickFiles; readonly model: string } => {
  const weights = modelFile('ner/recogniser.bin.gz')
  const lists = { lexicon: openLexicon(), places: openPlaces(), events: openEventTable() }
  const version = versionOf(weights, modelFile('ner/lexicon.tsv.gz'), modelFile('places/places.tsv.gz'))
  return { files: { ...lists, weights: parseWeights(weights) }, model: `crf:${version}` }
})
