import { isReadAsEnglish, languageOfShortText } from '../../language/language-of.ts'
import type { Ranking } from '../../views/articles/nearest.ts'
import type { Dependencies } from '../http/dependencies.ts'

/** The languages whose articles are compared with a query by the English encoder. */
const ENGLISH = ['en', 'und']

type RankingEncoders = Pick<Dependencies, 'encoder' | 'crossEncoder'>

/**
 * How articles are ranked for a query. In English, or if its language is unknown: English articles first, by the English
 * encoder, then the others by the encoder of all languages. In another language: all articles by the encoder of all
 * languages, then those that have no vector of it. If only English is read, all by the English encoder.
 */
export async function rankingsFor(
  query: string,
  { encoder, crossEncoder }: RankingEncoders,
): Promise<readonly Ranking[]> {
  const inEnglish = { by: 'vector', encode: () => inEnglishSpace(query, encoder) } as const
  if (crossEncoder === null) return [{ ...inEnglish, english: null }]

  const language = await languageOfShortText(query)
  const english = isReadAsEnglish(language) ? ENGLISH : []
  const across = {
    by: 'cross_vector',
    encode: async () => only(await (await crossEncoder()).encode([{ text: query, language }])),
  } as const
  const rankings = [
    { ...inEnglish, english },
    { ...across, english },
  ]
  return isReadAsEnglish(language) ? rankings : rankings.reverse()
}

/** The vector of a query in the space of the English encoder. */
export const inEnglishSpace = async (query: string, encoder: Dependencies['encoder']): Promise<Float32Array> =>
  Float32Array.from(only(await encoder.sentences([query])))

function only(vectors: readonly Float32Array[]): Float32Array {
  const [vector] = vectors
  if (vector === undefined) throw new Error('the encoder gave no vector for the query')
  return vector
}
