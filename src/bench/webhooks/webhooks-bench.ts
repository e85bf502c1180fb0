import { setTimeout } from 'node:timers/promises'
import { seeded } from '../../quality/seeded-random.ts'
import { median } from '../rounds.ts'
import { startDispatcher, type Dispatcher } from './dispatcher.ts'
import { failing, isSilent, openReceiver, takes, type Manner, type Receiver } from './receivers.ts'
import { changeId, deliveredOf, setEndpoints, publishChanges, type WebhookWorld } from './world.ts'

export interface Delays {
  readonly deliveries: number
  readonly p50_ms: number
  readonly p95_ms: number
}

/** How soon a healthy endpoint hears of a change. */
export interface NeighbourFigure {
  readonly alone: Delays
  /** Beside one that never answers, one that refuses connections and one that fails three times in ten. */
  readonly beside: Delays
  /** Of the two p95. */
  readonly ratio: number
}

export interface KilledFigure {
  readonly kills: number
  readonly changes: number
  /** Endpoints times changes. */
  readonly deliveries: number
  /** Never answered 2xx. */
  readonly missing: number
  /** Requests; more than deliveries because of failures and kills. */
  readonly requests: number
  /** Taken already, and sent again. */
  readonly repeats: number
  /** Of all requests, those whose id is not the one of their change. */
  readonly wrong_ids: number
  /** Whose newest event in the log says `delivered`. */
  readonly recorded: number
  /** From the last change published to the last delivery. */
  readonly seconds_after: number
}

export interface WebhooksBenchSetting {
  readonly world: WebhookWorld
  /** Of the dispatcher. */
  readonly environment: Readonly<Record<string, string>>
  readonly perSecond: number
}

const SHARE_FAILING = 0.3
const PATIENCE_MS = 180_000
/** So slowly some answer that kills come while they do. */
const SLOWEST_MS = 300

/**
 * A healthy endpoint by itself and beside bad ones, in turns, and of each the median of its rounds: a busy moment of the
 * machine is in one round, a bad neighbour in all.
 */
export async function benchNeighbours(
  { world, environment, perSecond }: WebhooksBenchSetting,
  { rounds, seconds }: { readonly rounds: number; readonly seconds: number },
): Promise<NeighbourFigure> {
  const random = seeded('neighbours')
  const open = await openAll({ healthy: takes, silent: isSilent, failing: failing(SHARE_FAILING, random), away: takes })
  await open.away.close() // nobody listens there any more
  const bad = ['silent', 'failing', 'away']
  const dispatcher = startDispatcher(environment)
  const delays = { alone: [] as Delays[], beside: [] as Delays[] }
  let number = 0
  const round = async (how: 'warm-up' | 'alone' | 'beside', count: number): Promise<void> => {
    const status = how === 'beside' ? 'active' : 'disabled'
    await setEndpoints(
      world,
      Object.entries(open).map(([id, { url }]) => ({
        id: `${world.namespace}-${id}`,
        url,
        status: bad.includes(id) ? status : 'active',
      })),
    )
    const publishedAt = await publishChanges(world, { from: number, to: number + count, perSecond })
    number += count
    await until(() => numbersOf(open.healthy, () => true).size >= number)
    if (how !== 'warm-up') delays[how].push(summary(delaysOf(open.healthy, publishedAt)))
  }
  try {
    await round('warm-up', 3 * perSecond)
    for (let i = 0; i < rounds; i++) {
      await round('alone', seconds * perSecond)
      await round('beside', seconds * perSecond)
    }
  } finally {
    await endAll(dispatcher, open)
  }
  const [alone, beside] = [middle(delays.alone), middle(delays.beside)]
  return { alone, beside, ratio: beside.p95_ms / alone.p95_ms }
}

/** Receivers that fail three times in ten, and a dispatcher that is killed again and again. */
export async function benchKilled(
  { world, environment, perSecond }: WebhooksBenchSetting,
  { kills, everySeconds }: { readonly kills: number; readonly everySeconds: number },
): Promise<KilledFigure> {
  const random = seeded('killed')
  const manner = failing(SHARE_FAILING, random)
  const open = await openAll({ one: manner, two: manner, three: manner }, () => random() * SLOWEST_MS)
  const changes = Math.ceil((kills + 1) * everySeconds * perSecond)
  await setEndpoints(
    world,
    Object.entries(open).map(([id, { url }]) => ({ id: `${world.namespace}-${id}`, url, status: 'active' })),
  )
  const dispatcher = startDispatcher(environment)
  const receivers = Object.values(open)
  try {
    const publishing = publishChanges(world, { from: 0, to: changes, perSecond })
    for (let i = 0; i < kills; i++) {
      await setTimeout(everySeconds * 1000)
      await dispatcher.kill()
    }
    await publishing
    const publishedAt = performance.now()
    await until(() => receivers.every((receiver) => taken(receiver).size >= changes))
    const seconds_after = (performance.now() - publishedAt) / 1000
    let recorded = 0
    await until(async () => (recorded = await deliveredOf(world)) >= receivers.length * changes)
    return { kills: dispatcher.kills, changes, ...tally(world.namespace, receivers, changes), recorded, seconds_after }
  } finally {
    await endAll(dispatcher, open)
  }
}

function tally(namespace: string, receivers: readonly Receiver[], changes: number) {
  const arrivals = receivers.flatMap(({ arrivals: all }) => all)
  const deliveries = receivers.length * changes
  const takenOnce = receivers.reduce((sum, receiver) => sum + taken(receiver).size, 0)
  return {
    deliveries,
    missing: deliveries - takenOnce,
    requests: arrivals.length,
    repeats: receivers.reduce((sum, receiver) => sum + repeats(receiver), 0),
    wrong_ids: arrivals.filter(({ id, number }) => id !== changeId(namespace, number)).length,
  }
}

async function openAll<Name extends string>(
  manners: Readonly<Record<Name, Manner>>,
  answersAfterMs?: () => number,
): Promise<Record<Name, Receiver>> {
  const open = Object.entries<Manner>(manners).map(
    async ([name, manner]) => [name, await openReceiver(manner, answersAfterMs)] as const,
  )
  return Object.fromEntries(await Promise.all(open)) as Record<Name, Receiver>
}

async function endAll(dispatcher: Dispatcher, open: Readonly<Record<string, Receiver>>): Promise<void> {
  await dispatcher.end()
  await Promise.all(Object.values(open).map((receiver) => receiver.close().catch(() => undefined)))
}

const numbersOf = ({ arrivals }: Receiver, which: (arrival: Receiver['arrivals'][number]) => boolean): Set<number> =>
  new Set(arrivals.filter(which).map(({ number }) => number))

const taken = (receiver: Receiver): Set<number> => numbersOf(receiver, (arrival) => arrival.taken)

/** Requests about what was taken before. */
function repeats({ arrivals }: Receiver): number {
  const known = new Set<number>()
  return arrivals.filter((arrival) => {
    const isRepeat = known.has(arrival.number)
    if (arrival.taken) known.add(arrival.number)
    return isRepeat
  }).length
}

/** From the moment a change was about to be published to its first arrival. */
function delaysOf({ arrivals }: Receiver, publishedAt: ReadonlyMap<number, number>): readonly number[] {
  const first = new Map<number, number>()
  for (const { number, at } of arrivals) if (!first.has(number)) first.set(number, at)
  return [...publishedAt].map(([number, at]) => (first.get(number) ?? Infinity) - at)
}

function summary(delays: readonly number[]): Delays {
  const sorted = delays.toSorted((a, b) => a - b)
  const at = (share: number): number => sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN
  return { deliveries: sorted.length, p50_ms: at(0.5), p95_ms: at(0.95) }
}

const middle = (rounds: readonly Delays[]): Delays => ({
  deliveries: rounds.reduce((sum, { deliveries }) => sum + deliveries, 0),
  p50_ms: median(rounds.map(({ p50_ms }) => p50_ms)),
  p95_ms: median(rounds.map(({ p95_ms }) => p95_ms)),
})

async function until(done: () => boolean | Promise<boolean>): Promise<void> {
  const begun = performance.now()
  while (!(await done()) && performance.now() - begun < PATIENCE_MS) await setTimeout(50)
}
