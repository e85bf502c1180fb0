import type { Tally } from '../sources/tally.ts'
import { sayRefusals } from './import-options.ts'
import type { Wiring } from './wiring.ts'

/** `accepted` = articles + revisions + repeats (the same article with the same content again: nothing new). */
export const reportOf = (tally: Tally, seconds: number) => ({
  accepted: tally.accepted,
  articles: tally.articles,
  revisions: tally.revisions,
  repeats: tally.repeats,
  refused: tally.refusals.length,
  refusals: tally.refusals,
  refused_later: tally.refusedLater,
  seconds,
})

/** The same for a person. */
export function sayTally(wiring: Wiring, tally: Tally, seconds: number): void {
  const lines = tally.refusals.map(
    ({ file, line, reason }) => `${file === undefined ? '' : `${file} `}line ${line}: ${reason}`,
  )
  const later = tally.refusedLater.map(({ article_id, reason }) => `${article_id}: ${reason} (refused by a stage)`)
  sayRefusals(wiring, [...lines, ...later])
  const { accepted, articles, revisions, repeats, refusals } = tally
  const parts = `${articles} articles, ${revisions} revisions, ${repeats} repeats`
  wiring.out.line(`${accepted} accepted (${parts}), ${refusals.length} refused, ${seconds.toFixed(1)} s`)
}
