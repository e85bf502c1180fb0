/** Lines of the feed without a longer pause between them, in milliseconds of one clock. */
export interface Burst {
  readonly since: number
  readonly last: number
}

/** After so long without a line the next one begins another burst. */
const PAUSE_MS = 30_000
const LONGEST_MS = 180_000

export const heardAt = (burst: Burst, at: number): Burst => ({
  since: at - burst.last > PAUSE_MS ? at : burst.since,
  last: at,
})

/**
 * Whether the feed may be behind what lists show already: where much comes in, the stage that publishes it is the last to
 * see it. So lists are read on for as long as lines had been coming, three minutes at most.
 */
export const mayBeBehind = ({ since, last }: Burst, at: number): boolean =>
  at - last < Math.min(last - since, LONGEST_MS)
