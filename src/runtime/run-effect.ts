import type { Consumer } from '../ports/log.ts'
import { consumeParts, type RecordPart, wholeBatches } from './consume-parts.ts'
import { HeldEffect } from './held-effect.ts'
import { readInputs } from './read-inputs.ts'
import type { RuntimePorts } from './running.ts'
import type { Effect } from './shapes.ts'

/**
 * How long an orderly shutdown waits for running attempts. The next owner of the partition repeats an aborted attempt.
 */
const DRAIN_MS = 5_000

/** Runs an effect in its group until stopped. */
export async function runEffect<Event>(effect: Effect<Event>, running: RuntimePorts): Promise<Consumer> {
  const held = new Map<number, HeldEffect<Event>>()
  const endAll = (): Promise<void> => {
    for (const one of held.values()) one.end()
    held.clear()
    return Promise.resolve()
  }
  const consumer = await consumeParts(
    {
      name: effect.name,
      group: effect.group,
      topics: [effect.follows.name],
      minBytes: 1,
      maxWaitMs: 500,
      size: wholeBatches,
      guarded: false,
      onAssigned: endAll,
      handle: async (part) => {
        const known = held.get(part.partition) ?? (await takeOver(part, effect, running))
        held.set(part.partition, known)
        await handlePart(part, effect, { ...running, held: known })
      },
      close: endAll,
    },
    running,
  )
  return {
    stop: async () => {
      const ours = [...held.values()]
      const drained = Promise.all(ours.map((one) => one.drain()))
      await Promise.race([drained, running.clock.sleep(DRAIN_MS)])
      await Promise.all(ours.map((one) => one.commit.end()))
      await endAll()
      await consumer.stop()
    },
  }
}

async function takeOver<Event>(
  part: RecordPart,
  effect: Effect<Event>,
  running: RuntimePorts,
): Promise<HeldEffect<Event>> {
  const ends = await part.insist('look up the end', () => running.log.ends(part.topic))
  return new HeldEffect(effect, running, { part, liveFrom: ends[part.partition] ?? 0 })
}

/**
 * The committed offset is where the next owner must start reading to know everything that is pending: all state is in
 * the log. An attempt is made before its record is written, so a crash between the two repeats the attempt and never
 * loses it.
 */
async function handlePart<Event>(
  part: RecordPart,
  effect: Effect<Event>,
  { held, ...running }: RuntimePorts & { readonly held: HeldEffect<Event> },
): Promise<void> {
  const { read, malformed } = await part.insist('decode', () => readInputs(effect.follows, part.records, running.codec))
  held.applyEvents(
    part,
    read.map(({ input }) => input),
  )

  held.commit.want(part, held.readFrom ?? part.next)

  const { metrics, logger } = running
  metrics.set('story_pending', { effect: effect.name, partition: String(part.partition) }, held.size)
  if (malformed.length === 0) return
  metrics.count('story_inputs_total', { stage: effect.name, outcome: 'malformed', reason: 'effect' }, malformed.length)
  logger.error(
    { effect: effect.name, offsets: malformed.map(({ record }) => record.offset) },
    'events cannot be decoded',
  )
}
