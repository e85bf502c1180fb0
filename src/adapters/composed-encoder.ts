import { openSentiment } from '../language/sentiment/sentiment.ts'
import type { Encoder, Passage, PassageVectors, SentenceReading, TargetedSentence } from '../ports/encoder.ts'
import { articleMix, MIX } from './vectors.ts'

/**
 * The kinds of vectors produced here. A term is encoded without its context, so its kind differs from a contextual one.
 */
export const COMPOSED_KINDS = { article: MIX, term: 'term-alone' } as const

/**
 * Passages for an encoder that returns whole vectors only, no token states. The article vector is the mix of title and
 * lead; each term is encoded alone.
 */
export async function composedPassages(
  encoder: Pick<Encoder, 'sentences' | 'leads'>,
  passages: readonly Passage[],
): Promise<readonly PassageVectors[]> {
  const titles = passages.flatMap(({ title }) => (title === '' ? [] : [title]))
  const terms = passages.flatMap((passage) => passage.terms.map((term) => termText(passage, term)))
  const [alone, leads] = await Promise.all([
    titles.length + terms.length === 0 ? [] : encoder.sentences([...titles, ...terms]),
    passages.length === 0
      ? []
      : encoder.leads(passages.map(({ title, sentences }) => ({ title, body: sentences.join(' ') }))),
  ])
  let [nextTitle, nextTerm] = [0, titles.length]
  return passages.map(({ title: text, terms: targets }, i) => {
    const lead = given(leads[i])
    const title = text === '' ? lead : given(alone[nextTitle++])
    return { title, lead, article: articleMix(title, lead), terms: targets.map(() => given(alone[nextTerm++])) }
  })
}

const termText = ({ title, sentences }: Passage, { sentence, start, end }: Passage['terms'][number]): string =>
  (sentence < 0 ? title : (sentences[sentence] ?? '')).slice(start, end)

function given(vector: Float32Array | undefined): Float32Array {
  if (vector === undefined) throw new Error('The encoder returned fewer vectors than texts')
  return vector
}

/** Sentence vectors, and the sentiment of each sentence, -1 to 1. */
interface WholeSentences extends Pick<Encoder, 'sentences'> {
  readonly scores: (texts: readonly string[], vectors: readonly Float32Array[]) => Promise<readonly number[]>
}

/** Readings for an encoder that returns whole vectors only. Each target gets the sentiment of its sentence. */
export async function composedReadings(
  { sentences, scores }: WholeSentences,
  targeted: readonly TargetedSentence[],
): Promise<readonly SentenceReading[]> {
  if (targeted.length === 0) return []
  const texts = targeted.map(({ text }) => text)
  const vectors = await sentences(texts)
  const sentiments = await scores(texts, vectors)
  return targeted.map(({ targets }, i) => {
    const [vector, sentiment] = [vectors[i], sentiments[i]]
    if (vector === undefined || sentiment === undefined)
      throw new Error('The encoder returned fewer vectors than texts')
    return { vector, sentiment, targets: targets.map(() => sentiment) }
  })
}

/** Scores sentences from their vectors and words, for encoders that do not expose token states. */
export function sentimentOfVectors(): {
  readonly model: string
  readonly scores: (texts: readonly string[], vectors: readonly Float32Array[]) => Promise<readonly number[]>
} {
  const sentiment = openSentiment()
  return {
    model: sentiment.model,
    scores: (texts, vectors) =>
      Promise.resolve(texts.map((text, i) => sentiment.score(vectors[i] ?? new Float32Array(), text))),
  }
}
