import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { RegistryCodec } from '../../adapters/registry/codec.ts'
import { withOwnEngines } from '../own-service.ts'
import { prepare } from '../../wiring/up/steps.ts'
import type { BenchResult, BenchPart, BenchSetting } from '../part.ts'
import { seeded } from '../../quality/seeded-random.ts'
import { median, nearestRank } from '../rounds.ts'
import { startDispatcher, type Dispatcher } from './dispatcher.ts'
import { failing, silent, openReceiver, succeeds, type Behaviour, type Receiver } from './receivers.ts'
import { changeId, deliveredOf, setEndpoints, publishChanges, type WebhookWorld } from './world.ts'

const PER_SECOND = 10
/** The number of rounds of each kind, and their length. */
const ROUNDS = 7
const ROUND_SECONDS = 10
const KILLS = { kills: 8, everySeconds: 10 } as const

export const webhooks: BenchPart = {
  about: `deliveries to a healthy webhook endpoint, alone and with failing ones; receivers that fail 3 in 10, with a dispatcher killed every ${KILLS.everySeconds} s`,
  alone: measure,
}

/** Retries are so frequent and numerous that no delivery is given up during the measurement. */
const RETRY_SECONDS = ['0', ...Array.from({ length: 19 }, () => '1')].join(',')

function measure({ wiring }: BenchSetting): Promise<BenchResult> {
  return withOwnEngines(wiring, async ({ home, engines, log }) => {
    await prepare(engines, wiring.config)
    const codec = new RegistryCodec({ url: engines.registryUrl })
    const secretsKey = randomUUID()
    const environment = {
      ...{ KAFKA_BROKERS: engines.brokers.join(','), REGISTRY_URL: engines.registryUrl, SECRETS_KEY: secretsKey },
      ...{ WEBHOOKS_ALLOW_LOOPBACK: '1', LOG_LEVEL: 'error', STORY_HOME: home },
    }
    const setting = { environment, perSecond: PER_SECOND }
    const quickRetries = { ...setting, environment: { ...environment, WEBHOOKS_RETRY_SECONDS: RETRY_SECONDS } }
    const worldOf = (namespace: string) => ({ log, codec, secretsKey, namespace })
    wiring.out.progress('alone and beside bad neighbours ...')
    const neighbours = await benchNeighbours({ ...setting, world: worldOf('bench-neighbours') })
    wiring.out.progress(`${KILLS.kills} kills ...`)
    const killed = await benchKilled({ ...quickRetries, world: worldOf('bench-killed') }, KILLS)
    return { figures: { neighbours, killed }, lines: [...neighbourLines(neighbours), ...killedLines(killed)] }
  })
}

interface WebhooksBenchSetting {
  readonly world: WebhookWorld
  /** The environment of the dispatcher. */
  readonly environment: Readonly<Record<string, string>>
  readonly perSecond: number
}

const SHARE_FAILING = 0.3
const MAX_WAIT_MS = 180_000
/** The longest delay of a response: long enough for kills to occur while a request is in flight. */
const SLOWEST_MS = 300

/**
 * A healthy endpoint, alone and together with bad ones. Rounds of both kinds alternate, and the median of each is
 * reported: other load on the machine affects one round, a bad neighbour affects all of them.
 */
async function benchNeighbours({ world, environment, perSecond }: WebhooksBenchSetting) {
  const random = seeded('neighbours')
  const open = await openAll({ healthy: succeeds, silent, failing: failing(SHARE_FAILING, random), refusing: succeeds })
  await open.refusing.close() // connections are refused from now on
  const bad = ['silent', 'failing', 'refusing']
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
    for (let i = 0; i < ROUNDS; i++) {
      await round('alone', ROUND_SECONDS * perSecond)
      await round('beside', ROUND_SECONDS * perSecond)
    }
  } finally {
    await endAll(dispatcher, open)
  }
  const [alone, beside] = [medianOf(delays.alone), medianOf(delays.beside)]
  /**
   * Together with an endpoint that never responds, one that refuses connections and one that fails three requests in
   * ten.
   */
  return { alone, beside, ratio: beside.p95_ms / alone.p95_ms }
}

/** Receivers that fail three requests in ten, and a dispatcher that is killed repeatedly. */
export async function benchKilled(
  { world, environment, perSecond }: WebhooksBenchSetting,
  { kills, everySeconds }: { readonly kills: number; readonly everySeconds: number },
) {
  const random = seeded('killed')
  const behaviour = failing(SHARE_FAILING, random)
  const open = await openAll({ one: behaviour, two: behaviour, three: behaviour }, () => random() * SLOWEST_MS)
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
    await until(() => receivers.every((receiver) => accepted(receiver).size >= changes))
    const seconds_after = (performance.now() - publishedAt) / 1000
    let recorded = 0
    await until(async () => (recorded = await deliveredOf(world)) >= receivers.length * changes)
    return {
      kills: dispatcher.kills(),
      changes,
      ...tally(world.namespace, receivers, changes),
      /** Deliveries whose newest event in the log has the outcome `delivered`. */
      recorded,
      /** From the last published change to the last delivery. */
      seconds_after,
    }
  } finally {
    await endAll(dispatcher, open)
  }
}

function tally(namespace: string, receivers: readonly Receiver[], changes: number) {
  const arrivals = receivers.flatMap(({ arrivals: all }) => all)
  const deliveries = receivers.length * changes
  const deliveredOnce = receivers.reduce((sum, receiver) => sum + accepted(receiver).size, 0)
  return {
    /** Endpoints times changes. */
    deliveries,
    /** Deliveries that never received a 2xx response. */
    missing: deliveries - deliveredOnce,
    /** More than `deliveries`, because of failures and kills. */
    requests: arrivals.length,
    /** Requests for changes that the receiver had already accepted. */
    repeats: receivers.reduce((sum, receiver) => sum + repeats(receiver), 0),
    /** Requests whose id is not that of their change. */
    wrong_ids: arrivals.filter(({ id, number }) => id !== changeId(namespace, number)).length,
  }
}

async function openAll<Name extends string>(
  behaviours: Readonly<Record<Name, Behaviour>>,
  delayMs?: () => number,
): Promise<Record<Name, Receiver>> {
  const open = Object.entries<Behaviour>(behaviours).map(
    async ([name, behaviour]) => [name, await openReceiver(behaviour, delayMs)] as const,
  )
  return Object.fromEntries(await Promise.all(open)) as Record<Name, Receiver>
}

async function endAll(dispatcher: Dispatcher, open: Readonly<Record<string, Receiver>>): Promise<void> {
  await dispatcher.end()
  await Promise.all(Object.values(open).map((receiver) => receiver.close().catch(() => undefined)))
}

const numbersOf = ({ arrivals }: Receiver, which: (arrival: Receiver['arrivals'][number]) => boolean): Set<number> =>
  new Set(arrivals.filter(which).map(({ number }) => number))

const accepted = (receiver: Receiver): Set<number> => numbersOf(receiver, (arrival) => arrival.accepted)

/** The number of requests for changes that the receiver had already accepted. */
function repeats({ arrivals }: Receiver): number {
  const known = new Set<number>()
  return arrivals.filter((arrival) => {
    const isRepeat = known.has(arrival.number)
    if (arrival.accepted) known.add(arrival.number)
    return isRepeat
  }).length
}

/** Milliseconds from just before a change is published until it first arrives. */
function delaysOf({ arrivals }: Receiver, publishedAt: ReadonlyMap<number, number>): readonly number[] {
  const first = new Map<number, number>()
  for (const { number, at } of arrivals) if (!first.has(number)) first.set(number, at)
  return [...publishedAt].map(([number, at]) => (first.get(number) ?? Infinity) - at)
}

type Delays = ReturnType<typeof summary>

const summary = (delays: readonly number[]) => ({
  deliveries: delays.length,
  p50_ms: nearestRank(delays, 0.5),
  p95_ms: nearestRank(delays, 0.95),
})

const medianOf = (rounds: readonly Delays[]): Delays => ({
  deliveries: rounds.reduce((sum, { deliveries }) => sum + deliveries, 0),
  p50_ms: median(rounds.map(({ p50_ms }) => p50_ms)),
  p95_ms: median(rounds.map(({ p95_ms }) => p95_ms)),
})

async function until(done: () => boolean | Promise<boolean>): Promise<void> {
  const begun = performance.now()
  while (!(await done()) && performance.now() - begun < MAX_WAIT_MS) await setTimeout(50)
}

const neighbourLines = ({ alone, beside, ratio }: Awaited<ReturnType<typeof benchNeighbours>>): readonly string[] => [
  '  healthy endpoint              p50        p95',
  delayLine('alone', alone),
  delayLine('beside bad ones', beside),
  `    ratio of the p95   ${ratio.toFixed(2)}`,
]

const delayLine = (what: string, { deliveries, p50_ms, p95_ms }: Delays): string =>
  `    ${what.padEnd(18)} ${p50_ms.toFixed(0).padStart(7)} ms ${p95_ms.toFixed(0).padStart(7)} ms   (${deliveries} deliveries)`

const killedLines = (f: Awaited<ReturnType<typeof benchKilled>>): readonly string[] => [
  `  dispatcher killed ${f.kills} times, receivers fail 3 in 10`,
  `    deliveries         ${f.deliveries} of ${f.changes} changes; never accepted: ${f.missing}; recorded as delivered: ${f.recorded}`,
  `    requests           ${f.requests}, of them repeats of what was accepted: ${f.repeats}; under a wrong id: ${f.wrong_ids}`,
  `    all delivered      ${f.seconds_after.toFixed(1)} s after the last change`,
]
