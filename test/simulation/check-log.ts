import { articlesClustered } from '../../src/events/ledger.ts'
import { changesPublished } from '../../src/events/changes.ts'
import { webhooksDelivered, type WebhookDelivered } from '../../src/events/webhooks.ts'
import { pipeline } from '../../src/pipeline.ts'
import { viewGroup } from '../../src/ports/log.ts'
import type { SimulationLetter } from './dead-letters.ts'
import { DEADLY, RETRY_MS } from './doubles.ts'
import { inputOf, placeName, topicNamed } from './reading.ts'
import type { Simulation } from './simulation.ts'

type Letters = ReadonlyMap<string, readonly SimulationLetter[]>

/** Every group has read to the end all that it reads. */
export function checkOffsets(world: Simulation): void {
  const readers: [string, readonly string[]][] = [
    ...Object.entries(pipeline.stages).map(([name, { reads }]): [string, readonly string[]] => [name, reads]),
    ['delivering', [webhooksDelivered.name]],
    ...world.views.map(({ name, projections }): [string, readonly string[]] => [
      viewGroup(name),
      projections.map(({ reads, dead }) => (dead ? `${reads.name}.dead` : reads.name)),
    ]),
  ]
  for (const [group, topics] of readers) {
    for (const topic of topics) {
      world.broker.partitions(topic).forEach(({ records, end }, partition) => {
        const committed = world.broker.committed(group, topic, partition)?.offset ?? 0
        // what is left may be markers of transactions, which nobody ever sees
        if (committed > end || (records.at(-1)?.offset ?? -1) >= committed)
          world.violation(`${group} has read ${topic} ${partition} up to ${committed} of ${end}`)
      })
    }
  }
}

const EMITTED_ONCE = [
  ...['articles.clustered', 'stories.enriched', 'stories.linked', 'stories.transitioned'],
  ...['trends.detected', 'stories.matched', 'changes.published'],
]

/** What is written in transactions is in the log once, and contains no NaN. */
export async function checkEmittedOnce(world: Simulation): Promise<void> {
  for (const name of EMITTED_ONCE) {
    const seen = new Set<string>()
    for (const record of world.broker.records(name)) {
      const input = await inputOf<{ readonly event_id: string }>(topicNamed(name), record)
      const id = input?.event.event_id ?? `no event at ${placeName(record)}`
      if (seen.has(id)) world.violation(`${name} has ${id} twice`)
      seen.add(id)
      if (holdsNaN(input?.event)) world.violation(`${placeName(record)} contains NaN`)
    }
  }
}

const holdsNaN = (value: unknown): boolean =>
  typeof value === 'object' && value !== null ? Object.values(value).some(holdsNaN) : Number.isNaN(value)

/** What may be set aside, for good reasons; none of them passes by itself. */
const LASTING = ['malformed_avro', 'unknown_schema', 'text_too_short', 'decision_threw']

export function checkLetters(world: Simulation, letters: Letters): void {
  for (const [whose, all] of letters) {
    for (const { stage, reason, record, original } of all) {
      if (LASTING.includes(reason)) continue
      const isDeadly = record.value?.includes(DEADLY) === true
      if (reason === 'process_crashed' && (isDeadly || world.deathsOf(stage, original) >= 3)) continue
      const died = world.deathsOf(stage, original)
      world.violation(`${whose} was set aside as ${reason}, after ${died} deaths`)
    }
  }
}

/** The ledger folds into one story an article, and every line fits what was before it. */
export async function checkLedger(world: Simulation): Promise<void> {
  const storyOf = new Map<string, string>()
  for (const record of world.broker.records(articlesClustered.name)) {
    const input = await inputOf(articlesClustered, record)
    if (input === null) continue
    const { namespace, action, cluster_id, article_id, change } = input.event
    const wrong = (what: string) => {
      world.violation(`the ledger at ${placeName(record)}: ${action} ${what}`)
    }
    if (change === null) {
      const known = storyOf.get(`${namespace} ${article_id}`)
      if ((known === undefined) !== (action !== 'revised')) wrong(`an article that was in ${known ?? 'no story'}`)
      if (action === 'revised' && known !== cluster_id) wrong(`moves ${article_id}`)
      storyOf.set(`${namespace} ${article_id}`, cluster_id)
      continue
    }
    if ((change.correction?.refused ?? null) !== null) continue
    for (const article of change.article_ids) {
      const known = storyOf.get(`${namespace} ${article}`)
      if (known === undefined) wrong(`${article}, which is in no story`)
      else if (change.from_cluster_id !== null && known !== change.from_cluster_id) wrong(`${article} out of ${known}`)
      storyOf.set(`${namespace} ${article}`, cluster_id)
    }
  }
}

/** One order a namespace: all its lines lie in one partition. */
export async function checkFeed(world: Simulation): Promise<void> {
  const homes = new Map<string, number>()
  for (const record of world.broker.records(changesPublished.name)) {
    const input = await inputOf(changesPublished, record)
    if (input === null) continue
    const { namespace } = input.event
    const home = homes.get(namespace) ?? record.partition
    if (home !== record.partition)
      world.violation(`the feed of ${namespace} lies in partitions ${home} and ${record.partition}`)
    homes.set(namespace, home)
  }
}

/** Every delivery came to an end, and what is said to be delivered was. */
export async function checkDeliveries(world: Simulation): Promise<void> {
  const deliveries = new Map<string, WebhookDelivered[]>()
  for (const record of world.broker.records(webhooksDelivered.name)) {
    const input = await inputOf(webhooksDelivered, record)
    if (input === null) continue
    const { delivery_id } = input.event
    deliveries.set(delivery_id, [...(deliveries.get(delivery_id) ?? []), input.event])
  }
  const changeOf = new Map<string, string>()
  for (const [id, events] of deliveries) {
    const ends = events.filter(({ outcome }) => outcome !== 'planned' && outcome !== 'failed')
    if (ends.length === 0) world.violation(`delivery ${id} has no end after ${events.length} events`)
    if (new Set(events.map(({ change_id }) => change_id)).size > 1)
      world.violation(`delivery ${id} is of several changes`)
    const { change_id, webhook_id } = events[0] ?? { change_id: '', webhook_id: '' }
    const about = `${webhook_id} ${change_id}`
    if (changeOf.has(about)) world.violation(`${about} is delivered as ${id} and as ${changeOf.get(about) ?? ''}`)
    changeOf.set(about, id)
    for (const { outcome, attempt, error } of ends) {
      const reached = world.receivers.taken.get(`https://${webhook_id}.example.com/hook`) ?? []
      if (outcome === 'delivered' && !reached.includes(change_id)) world.violation(`${id} did not reach its receiver`)
      if (outcome === 'given_up' && error !== 'too_many_waiting' && attempt < RETRY_MS.length)
        world.violation(`${id} was given up after ${attempt} attempts`)
    }
  }
}
