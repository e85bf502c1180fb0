import type { Encoder, Passage, PassageVectors } from '../ports/encoder.ts'
import { articleMix, MIX } from './article-mix.ts'

/** What vectors made here are called: a term encoded alone is not one in its context. */
export const COMPOSED_KINDS = { article: MIX, term: 'term-alone' } as const

/**
 * Passages for an encoder that gives whole vectors only and no states of single pieces: the article is the mix of title
 * and lead, and a term is encoded alone.
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
  if (vector === undefined) throw new Error('The encoder gave fewer vectors than it was given texts')
  return vector
}
