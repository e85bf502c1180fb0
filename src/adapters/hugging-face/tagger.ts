import { InferenceClient } from '@huggingface/inference'
import pMap from 'p-map'
import { z } from 'zod'
import { type NameType, tagsOfSpans, type WordSpan } from '../../language/recogniser/tags.ts'
import type { Tagger } from '../../ports/reader.ts'
import { answerOf, callOptions, CONCURRENT_CALLS, type EndpointOptions } from './endpoint.ts'

/** Entity labels of the usual models (CoNLL and OntoNotes). */
const TYPES: Readonly<Record<string, NameType>> = {
  ...{ PER: 'PER', PERSON: 'PER', ORG: 'ORG', ORGANIZATION: 'ORG' },
  ...{ LOC: 'LOC', LOCATION: 'LOC', GPE: 'LOC', FAC: 'LOC', EVENT: 'EVENT' },
}

const Answer = z.array(z.object({ entity_group: z.string(), start: z.int().min(0), end: z.int().min(0) }))

/** Names from an endpoint with the API of Hugging Face token classification, entities grouped. Every failure throws. */
export function huggingFaceTagger({ url, token, model, timeoutMs }: EndpointOptions): Tagger {
  const client = new InferenceClient(token)

  const tag = async (words: readonly string[]): Promise<Uint8Array> => {
    if (words.length === 0) return new Uint8Array()
    const given = { endpointUrl: url, inputs: words.join(' '), parameters: { aggregation_strategy: 'simple' as const } }
    const calling = client.tokenClassification(given, callOptions(timeoutMs))
    const parsed = Answer.safeParse(await answerOf(calling, `The tagger endpoint ${url}`, 'names'))
    if (!parsed.success) throw new Error(`The tagger endpoint ${url} did not return groups with offsets`)
    return Uint8Array.from(tagsOfSpans(spansOf(words, parsed.data), words.length))
  }

  return { model, tags: (sentences) => pMap(sentences, ({ words }) => tag(words.texts), CONCURRENT_CALLS) }
}

/** Length in code points, as such models count: an emoji is one. */
const lengthOf = (word: string): number => Array.from(word).length

/** Converts code-point offsets in the space-joined words to word spans. If spans overlap, the first one is used. */
function spansOf(words: readonly string[], groups: z.infer<typeof Answer>): readonly WordSpan[] {
  const starts: number[] = []
  let at = 0
  for (const word of words) {
    starts.push(at)
    at += lengthOf(word) + 1
  }
  let free = 0
  return groups
    .toSorted((a, b) => a.start - b.start)
    .flatMap(({ entity_group: group, start, end }) => {
      const type = TYPES[group.toUpperCase()]
      const from = starts.findIndex((from, i) => from + lengthOf(words[i] ?? '') > start)
      const to = starts.findLastIndex((from) => from < end) + 1
      if (type === undefined || from < free || to <= from) return []
      free = to
      return [{ type, start: from, end: to }]
    })
}
