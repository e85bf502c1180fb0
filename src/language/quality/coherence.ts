import { fall, geometric, rise, saturate, share } from './curves.ts'
import type { ReadSentence, QualityReading } from './reading.ts'

/** How well a text hangs together, 0 to 1. */
export const coherence = (reading: QualityReading): number =>
  geometric([
    [sentenceCount(reading), 0.5],
    [sentenceLength(reading), 0.3],
    [sentimentConsistency(reading), 0.2],
  ])

/** Informative sentences, towards 1 (0.33 at one, 0.70 at three, 0.98 at ten), and their part in all that is there. */
export const sentenceCount = ({ informative, sentences }: QualityReading): number =>
  saturate(informativeness(informative), 2.5) * rise(share(informativeness(informative), sentences.length), 0.05, 0.4)

const informativeness = (sentences: readonly ReadSentence[]): number =>
  sentences.reduce((sum, { informativeness: value }) => sum + value, 0)

/** Mean words a sentence, 0 to 1: full marks from 7 to 35, none at 3 or at 70. */
export function sentenceLength({ sentences }: QualityReading): number {
  const mean = share(
    sentences.reduce((sum, sentence) => sum + sentence.length, 0),
    sentences.length,
  )
  return Math.min(rise(mean, 3, 7), fall(mean, 35, 70))
}

/**
 * 1 down to 0.5: seldom from delight to disgust and back between neighbours. Only English has a lexicon (AFINN-165);
 * elsewhere nothing is held against it.
 */
export function sentimentConsistency({ informative }: QualityReading): number {
  let flips = 0
  for (let i = 1; i < informative.length; i++) if (mood(informative[i]) * mood(informative[i - 1]) < 0) flips++
  return 1 - 0.5 * share(flips, informative.length - 1)
}

/** -1 or +1 where the words lean clearly to one side, else 0. */
const mood = (sentence: ReadSentence | undefined): number => {
  const valence = sentence?.valence ?? 0
  return Math.abs(valence) < 4 ? 0 : Math.sign(valence)
}
