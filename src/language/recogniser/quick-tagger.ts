import type { Tagger } from '../../ports/tagger.ts'
import { modelFile, versionOf } from '../model-files.ts'
import { openEventTable } from '../named-events/event-table.ts'
import { parsePlaces } from '../places/places.ts'
import { features } from './features.ts'
import { parseLexicon } from './lexicon.ts'
import { type EntitySpan, namedSpans, type NameLists } from './named-spans.ts'
import { readWords, type TextSpan } from './words.ts'
import { sentenceFacts } from './sentence.ts'
import { bestTags, emissions, type TaggerWeights, parseWeights } from './tagger.ts'

export interface QuickFiles extends NameLists {
  readonly weights: TaggerWeights
}

/** Tags of a sentence's words from hashed features alone, without a language model: a twentieth of a millisecond. */
export const quickTags = ({ weights, lexicon, places }: QuickFiles, words: readonly string[]): Uint8Array =>
  bestTags(emissions(weights, features(sentenceFacts(words, lexicon, places))), weights.transitions)

/** Names in a text, at once: where no language model has read it yet. Without the named events, which are no token type. */
export function quickNames(files: QuickFiles, text: string, sentences: readonly TextSpan[]): EntitySpan[] {
  const read = readWords(text, sentences)
  return namedSpans(
    text,
    { read, tags: read.map(({ words }) => quickTags(files, words.texts)) },
    withoutEvents(files),
  ).flat()
}

const withoutEvents = ({ lexicon, places }: NameLists): NameLists => ({ lexicon, places, events: null })

export const quickTagger = (model: string, files: QuickFiles): Tagger => ({
  model,
  tags: (sentences) => Promise.resolve(sentences.map((words) => quickTags(files, words))),
})

/** The committed weights, word list and places; some 150 ms and 30 MB. */
export function openQuickFiles(): { readonly files: QuickFiles; readonly model: string } {
  const weights = modelFile('ner/recogniser.bin.gz')
  const lexicon = modelFile('ner/lexicon.tsv.gz')
  const places = modelFile('places/places.tsv.gz')
  const files = {
    weights: parseWeights(weights),
    lexicon: parseLexicon(lexicon.toString('utf8')),
    places: parsePlaces(places.toString('utf8')),
    events: openEventTable(),
  }
  return { files, model: `crf:${versionOf(weights, lexicon, places)}` }
}
