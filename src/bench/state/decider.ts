import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { DecideProgress, SampledChoice } from './decide.ts'

export const DecideArguments = z.object({
  /** The file with the base articles. */
  bases: z.string(),
  articles: z.number(),
  samples: z.number(),
  folder: z.string(),
  environment: z.record(z.string(), z.string()),
})
export type DecideArguments = z.infer<typeof DecideArguments>

const memory = {
  /** Resident memory, now and at most so far. */
  rss_mb: z.number(),
  peak_mb: z.number(),
}
const Line = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('progress'), articles: z.number(), cpuMs: z.number(), ...memory }),
  z.object({
    kind: z.literal('done'),
    progress: DecideProgress,
    choices: z.array(SampledChoice),
    /** Medians of decisions beside all articles and a quarter of them; `null` if there is no quarter. */
    inTurn: z.object({ all: z.number(), quarter: z.number() }).nullable(),
    ...memory,
  }),
])
export type DecideLine = z.infer<typeof Line>
type DecideDone = Extract<DecideLine, { kind: 'done' }>
type DecideReached = Extract<DecideLine, { kind: 'progress' }>

const fromSource = import.meta.url.endsWith('.ts')

/** Arguments of Node.js that run a program of this folder, from `src/` or from `dist/`. */
export const programArguments = (name: string): string[] => [
  ...(fromSource ? ['--import', 'tsx'] : []),
  fileURLToPath(new URL(`./${name}.${fromSource ? 'ts' : 'js'}`, import.meta.url)),
]

/** Runs the clusterer in a process of its own until it has decided all articles and the samples. */
export async function runDecider(
  given: DecideArguments,
  onProgress: (reached: DecideReached) => void,
): Promise<DecideDone> {
  const child = spawn(process.execPath, [...programArguments('decide-process'), JSON.stringify(given)], {
    env: given.environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  let done: DecideDone | null = null
  let reached: DecideReached | null = null
  for await (const text of createInterface({ input: child.stdout })) {
    const line = Line.parse(JSON.parse(text))
    if (line.kind === 'done') done = line
    else {
      reached = line
      onProgress(line)
    }
  }
  await ended
  if (done !== null) return done
  throw new Error(endedEarly(given, reached, child.signalCode ?? `exit code ${child.exitCode}`))
}

const endedEarly = ({ articles }: DecideArguments, reached: DecideReached | null, how: string): string =>
  `the clusterer ended (${how}) after ${reached?.articles ?? 0} of ${articles} articles with ` +
  `${Math.round(reached?.rss_mb ?? 0)} MB of memory. Another run continues from there; if memory was the reason, ` +
  'raise the limit of the heap: NODE_OPTIONS=--max-old-space-size=<MB>'
