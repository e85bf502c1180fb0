import { z } from 'zod'
import { DecideProgress, SampledChoice } from './decide.ts'
import { MEMORY, startProgram } from './program.ts'

export const DecideArguments = z.object({
  /** The file with the base articles. */
  bases: z.string(),
  articles: z.number(),
  samples: z.number(),
  folder: z.string(),
  environment: z.record(z.string(), z.string()),
})
export type DecideArguments = z.infer<typeof DecideArguments>

const Line = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('progress'), articles: z.number(), cpuMs: z.number(), ...MEMORY }),
  z.object({
    kind: z.literal('done'),
    progress: DecideProgress,
    choices: z.array(SampledChoice),
    /** Medians of decisions beside all articles and a quarter of them; `null` if there is no quarter. */
    inTurn: z.object({ all: z.number(), quarter: z.number() }).nullable(),
    ...MEMORY,
  }),
])
export type DecideLine = z.infer<typeof Line>
type DecideDone = Extract<DecideLine, { kind: 'done' }>
type DecideReached = Extract<DecideLine, { kind: 'progress' }>

/** Runs the clusterer in a process of its own until it has decided all articles and the samples. */
export async function runDecider(
  given: DecideArguments,
  onProgress: (reached: DecideReached) => void,
): Promise<DecideDone> {
  const program = startProgram('decide-process', given, Line)
  let done: DecideDone | null = null
  let reached: DecideReached | null = null
  for await (const line of program.lines) {
    if (line.kind === 'done') done = line
    else {
      reached = line
      onProgress(line)
    }
  }
  const how = await program.ended
  if (done !== null) return done
  throw new Error(endedEarly(given, reached, how))
}

const endedEarly = ({ articles }: DecideArguments, reached: DecideReached | null, how: string): string =>
  `the clusterer ended (${how}) after ${reached?.articles ?? 0} of ${articles} articles with ` +
  `${Math.round(reached?.rss_mb ?? 0)} MB of memory. Another run continues from there; if memory was the reason, ` +
  'raise the limit of the heap: NODE_OPTIONS=--max-old-space-size=<MB>'
