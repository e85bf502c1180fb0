import { MemoryLog } from '../../src/adapters/memory-log.ts'
import { PlainCodec } from '../../src/adapters/plain-codec.ts'
import { topic } from '../../src/events/topic.ts'
import type { Log } from '../../src/ports/log.ts'
import type { Effect, Task } from '../../src/runtime/shapes.ts'

/** A small event of the tests: something that is to be done for somebody. */
export interface Errand {
  readonly id: string
  readonly who: string
  readonly attempt: number
  /** Milliseconds since 1970; null: done. */
  readonly due: number | null
  readonly outcome: string
}

export const errands = topic<Errand>('errands.run', ({ who }) => who)

export const errandCodec = new PlainCodec(() =>
  JSON.stringify({
    type: 'record',
    name: 'Errand',
    fields: [
      { name: 'id', type: 'string' },
      { name: 'who', type: 'string' },
      { name: 'attempt', type: 'int' },
      { name: 'due', type: ['null', 'double'] },
      { name: 'outcome', type: 'string' },
    ],
  }),
)

export const anErrand = (id: string, more: Partial<Errand> = {}): Errand => ({
  id,
  who: 'ann',
  attempt: 0,
  due: 0,
  outcome: 'asked',
  ...more,
})

type Tries = (task: Task<Errand>, signal: AbortSignal) => Promise<'done' | 'failed'>

export interface ErrandEffect extends Effect<Errand> {
  /** Ids in the order their attempts began. */
  readonly tried: readonly string[]
}

/** Does errands as `tries` says; one that failed is tried again after `waitMs`. */
export function running(
  tries: Tries,
  { now, waitMs = 1000, most = 10_000 }: { now: () => number; waitMs?: number; most?: number },
): ErrandEffect {
  const tried: string[] = []
  return {
    tried,
    name: 'running',
    group: 'running',
    follows: errands,
    about: ({ id }) => id,
    progress: ({ attempt }) => attempt,
    dueAt: ({ due }) => due,
    wentWell: ({ outcome }) => (outcome === 'done' ? true : outcome === 'failed' ? false : null),
    lane: ({ who }) => who,
    atOnce: 4,
    mostWaiting: most,
    tooMany: ({ event }) => ({ ...event, due: null, outcome: 'too many' }),
    attempt: async (task, signal) => {
      const { event } = task.input
      tried.push(event.id)
      const outcome = await tries(task, signal)
      const due = outcome === 'done' ? null : now() + waitMs
      return { event: { ...event, attempt: event.attempt + 1, outcome, due }, outcome }
    },
  }
}

export async function ask(log: Log, all: readonly Errand[]): Promise<void> {
  const records = all.map(async (errand) => ({
    topic: errands.name,
    key: errand.who,
    value: await errandCodec.encode(errands, errand),
  }))
  await log.produce(await Promise.all(records))
}

/** What the log holds, in its order: `id outcome`. */
export async function errandsDone(log: MemoryLog): Promise<readonly string[]> {
  const decoded = log.records(errands.name).map(async ({ value }) => {
    const one = await errandCodec.decode(errands, value ?? Buffer.alloc(0))
    return one.kind === 'event' ? `${one.event.id} ${one.event.outcome}` : one.reason
  })
  return Promise.all(decoded)
}
