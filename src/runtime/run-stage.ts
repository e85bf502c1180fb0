import type { Consumer, LogRecord, OutRecord } from '../ports/log.ts'
import { consumeParts, type RecordPart, timedParts } from './consume-parts.ts'
import { readInputs, type ReadBatch } from './read-inputs.ts'
import {
  floodGate,
  type FloodGate,
  chunksEmitted,
  lettersOf,
  report,
  untouched,
  type Emitted,
  type Judgement,
} from './outcomes.ts'
import { isFor, setAside } from './dead-letter.ts'
import type { RuntimePorts } from './running.ts'
import type { Stage, StageOutcome } from './shapes.ts'

/** Runs a stateless stage in the consumer group of its name until stopped. */
export async function runStage<In, Out>(stage: Stage<In, Out>, running: RuntimePorts): Promise<Consumer> {
  const gate = floodGate(stage.name, running.limits)
  return consumeParts(
    {
      name: stage.name,
      group: stage.name,
      topics: [stage.reads.name],
      minBytes: 1,
      maxWaitMs: 500,
      size: timedParts(running.limits),
      handle: (part) => handlePart(part, { stage, running, gate }),
    },
    running,
  )
}

interface StagePartOptions<In, Out> {
  readonly stage: Stage<In, Out>
  readonly running: RuntimePorts
  readonly gate: FloodGate
}

/**
 * The order of these steps is the delivery guarantee. A crash after step 3 repeats the part. Event ids are derived from
 * their inputs, so a reader sees the same event twice, not two different events. A crash never loses an event.
 */
async function handlePart<In, Out>(
  part: RecordPart,
  { stage, running, gate }: StagePartOptions<In, Out>,
): Promise<void> {
  const decoded = (records: readonly LogRecord[]) =>
    readInputs(stage.reads, records.filter(isFor(stage.name)), running.codec)
  await part.risk(async (records) => decide(stage, await decoded(records)))

  // 1. Decode.
  const inputs = part.setAside ? untouched(part.records) : await part.insist('decode', () => decoded(part.records))

  // 2. Decide.
  const outcomes = await part.insist('decide', () => decide(stage, inputs))
  gate.check(outcomes)

  // 3. Emit, and wait until all in-sync replicas have acknowledged.
  const emitted = await emitAll(part, { inputs, outcomes }, { stage, running })

  // 4. Write undecodable records and rejected inputs to the dead letters.
  const letters = lettersOf(stage.name, { inputs, outcomes })
  await part.insist('set aside', async () => {
    await part.ours()
    await setAside(letters, running)
  })

  // 5. Only now commit the offsets.
  await part.commit()

  gate.remember(outcomes)
  running.metrics.count('story_events_total', { stage: stage.name, topic: stage.writes.name }, emitted)
  report(part, { inputs, outcomes }, { name: stage.name, running })
}

async function decide<In, Out>(stage: Stage<In, Out>, { read }: ReadBatch<In>): Promise<readonly StageOutcome<Out>[]> {
  if (read.length === 0) return []
  const outcomes = await stage.handle(read.map(({ input }) => input))
  if (outcomes.length !== read.length) {
    throw new Error(`${stage.name} returned ${outcomes.length} outcomes for ${read.length} inputs`)
  }
  return outcomes
}

/**
 * Writes in chunks, so that a part with very many outputs takes no more memory than any other. A crash between two
 * chunks repeats the part, like a crash before the commit. Returns the number of events.
 */
async function emitAll<In, Out>(
  part: RecordPart,
  judgement: Judgement<Out>,
  { stage, running }: Omit<StagePartOptions<In, Out>, 'gate'>,
): Promise<number> {
  let written = 0
  for (const chunk of chunksEmitted(judgement, running.limits.partRecords)) {
    const records = await part.insist('encode', () => encoded(chunk, stage, running))
    if (written === 0) await part.survived()
    await part.insist('produce', async () => {
      await part.ours()
      await running.log.produce(records)
    })
    written += chunk.length
  }
  return written
}

async function encoded<In, Out>(
  chunk: readonly Emitted<Out>[],
  { writes }: Stage<In, Out>,
  { codec }: RuntimePorts,
): Promise<readonly OutRecord[]> {
  return Promise.all(
    chunk.map(async ({ event, headers }) => ({
      topic: writes.name,
      key: writes.key(event),
      value: await codec.encode(writes, event),
      headers,
    })),
  )
}
