import type { Encoder, Passage, PassageVectors } from '../ports/encoder.ts'
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
