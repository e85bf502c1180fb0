import type { CausedBy } from '../../src/events/envelope.ts'
import { articlesAnalyzed, articlesIngested, articlesScored } from '../../src/events/articles.ts'
import { changesPublished } from '../../src/events/changes.ts'
import type { Topic } from '../../src/events/topic.ts'
import { webhooksChanged, webhooksDelivered, type WebhookChanged } from '../../src/events/webhooks.ts'
import { letterKey, type SimulationLetter } from './dead-letters.ts'
import { contentOf, inputOf, placeName } from './reading.ts'
import { codec, type Simulation } from './simulation.ts'

interface Derived {
  readonly event_id: string
  readonly caused_by: CausedBy | null
}

interface Output extends Derived {
  readonly content: string
}

interface Between<In, Out extends Derived> {
  readonly stage: string
  readonly reads: Topic<In>
  readonly writes: Topic<Out>
  /** How many outputs an input that is an event has; null: it is refused. */
  readonly outputs: (event: In, loggedAt: number) => number | null
  /** Of what it writes only this. */
  readonly counts?: (event: Out) => boolean
}

type Letters = ReadonlyMap<string, readonly SimulationLetter[]>

/** Stages without memory: each input has its outputs or its dead letter; a repeat is the same to the byte. */
export async function checkStages(world: Simulation, letters: Letters): Promise<void> {
  await checkStage(world, letters, {
    stage: 'scored',
    reads: articlesIngested,
    writes: articlesScored,
    outputs: ({ text }) => (text.trim().length < 100 ? null : 1),
  })
  await checkStage(world, letters, {
    stage: 'analyzed',
    reads: articlesScored,
    writes: articlesAnalyzed,
    outputs: ({ forwarded }) => (forwarded ? 1 : 0),
  })
  const steady = await steadyEndpoints(world)
  await checkStage(world, letters, {
    stage: 'delivered',
    reads: changesPublished,
    writes: webhooksDelivered,
    outputs: ({ namespace, type }) =>
      steady.filter((one) => one.namespace === namespace && one.events.includes(type)).length,
    counts: ({ outcome, webhook_id }) => outcome === 'planned' && steady.some((one) => one.webhook_id === webhook_id),
  })
}

/** Endpoints that were there before all else, and stayed as they were: nobody deleted or disabled them. */
async function steadyEndpoints(world: Simulation): Promise<readonly WebhookChanged[]> {
  const records = world.broker.records(webhooksChanged.name)
  const inputs = await Promise.all(records.map((record) => inputOf(webhooksChanged, record)))
  const steady = world.workload.steadyEndpoints.filter((id) => records.filter(({ key }) => key === id).length === 1)
  return inputs.flatMap((input) => (input !== null && steady.includes(input.event.webhook_id) ? [input.event] : []))
}

async function checkStage<In, Out extends Derived>(
  world: Simulation,
  letters: Letters,
  between: Between<In, Out>,
): Promise<void> {
  const { stage, reads } = between
  const outputs = await outputsByCause(world, between)
  for (const record of world.broker.records(reads.name)) {
    if (record.value === null) continue
    const input = await inputOf(reads, record)
    const place = placeName(record)
    const expected = input === null ? null : between.outputs(input.event, input.loggedAt)
    const found = outputs.get(place)?.size ?? 0
    const dead = letters.get(letterKey(stage, place)) ?? []
    // a process that died thrice may have written before it did
    if (dead.some(({ reason }) => reason === 'process_crashed')) continue
    if (found !== (expected ?? 0)) world.violation(`${stage}: ${found} outputs of ${place}, not ${expected ?? 0}`)
    if (dead.length > 0 !== (expected === null)) world.violation(`${stage}: ${dead.length} dead letters of ${place}`)
  }
}

/** By place of the input: event id to content. */
async function outputsByCause<In, Out extends Derived>(
  world: Simulation,
  { stage, writes, counts }: Between<In, Out>,
): Promise<ReadonlyMap<string, ReadonlyMap<string, string>>> {
  const contents = new Map<string, Output>()
  const outputs = new Map<string, Map<string, string>>()
  for (const record of world.broker.records(writes.name)) {
    const input = await inputOf(writes, record)
    if (input === null) {
      world.violation(`${stage} wrote what is no event at ${placeName(record)}`)
      continue
    }
    const { event } = input
    if (counts?.(event) === false) continue
    // an input that came twice stands at two places: but for that a repeat is the same
    const value = await codec.encode(writes, { ...event, caused_by: null })
    const content = contentOf({ ...record, value })
    const known = contents.get(event.event_id)
    if (known !== undefined && known.content !== content)
      world.violation(`${stage}: ${event.event_id} was written twice, and differs, at ${placeName(record)}`)
    contents.set(event.event_id, { ...event, content })
    if (event.caused_by === null) continue
    const place = placeName(event.caused_by)
    outputs.set(place, (outputs.get(place) ?? new Map<string, string>()).set(event.event_id, content))
  }
  return outputs
}
