import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../../src/ports/log.ts'
import type { ChaosEngines } from './engines.ts'
import { lagOf, readings } from './groups.ts'
import { TROUBLES, type Proxy, type ProxyTrouble } from './proxy.ts'
import type { ChaosRandom } from './random.ts'
import type { Kill, RecoverySpan } from './recovery.ts'
import { allUp, type SeatProgress, type Seat } from './service.ts'

export interface Disturbing {
  readonly engines: ChaosEngines
  readonly seats: readonly Seat[]
  readonly log: Log
  readonly random: ChaosRandom
  /** So far, in the order of time. */
  readonly progress: readonly SeatProgress[]
  readonly say: (line: string) => void
}

export interface DisturbancePlan {
  readonly kills: number
  /** How long ClickHouse is away in the middle of it; 0: not at all. */
  readonly awayMs: number
}

/** Not one of the short troubles on the way, of which `clickhouse away` is one. */
export const OUTAGE = 'outage of clickhouse'

/** Everything that was done to the service. */
export interface Disturbance {
  readonly kills: Kill[]
  readonly spans: RecoverySpan[]
  readonly counts: Record<string, number>
  /** From ClickHouse's return until nothing waited for it any more. */
  caughtUpMs: number | null
}

const BETWEEN_KILLS_MS = [1_200, 3_000] as const
const BETWEEN_TROUBLES_MS = [2_000, 6_000] as const
const FROZEN_MS = [3_500, 7_000] as const
const EVERY_FREEZE = 8
const EVERY_STORE_KILL = 45
const EVERY_BROKER_KILL = 65
/** It has its groups' heartbeats going: its twin may die. */
const SETTLED_MS = 1_000

/** Kills, freezes and troubles on the way, one after another and into each other, until there were enough kills. */
export async function disturb(given: Disturbing, { kills, awayMs }: DisturbancePlan): Promise<Disturbance> {
  const done: Disturbance = { kills: [], spans: [], counts: {}, caughtUpMs: null }
  const over = new AbortController()
  const onTheWay = troubles(given, done, over.signal)
  const frozen = new Set<Seat>()
  const asides: Promise<void>[] = []
  const { random, say } = given
  for (let n = 1; n <= kills; n++) {
    await sleep(random.between(...BETWEEN_KILLS_MS))
    if (n % EVERY_FREEZE === 0) asides.push(freeze(given, done, frozen))
    if (n % EVERY_STORE_KILL === 0) asides.push(killEngine('clickhouse', given, done))
    if (n % EVERY_BROKER_KILL === 0) asides.push(killEngine('kafka', given, done))
    if (n === Math.ceil(kills / 2) && awayMs > 0) asides.push(storeAway(given, done, awayMs))
    await killOne(await victim(given, frozen), given, done)
    if (n % 10 === 0) say(`${n} of ${kills} kills`)
  }
  over.abort()
  await Promise.all([onTheWay, ...asides])
  await allUp(given.seats)
  return done
}

const count = ({ counts }: Disturbance, what: string): void => {
  counts[what] = (counts[what] ?? 0) + 1
}

/** One that lives, while another of its kind can go on. */
async function victim({ seats, random }: Disturbing, frozen: ReadonlySet<Seat>): Promise<Seat> {
  for (;;) {
    const well = seats.filter((seat) => seat.upMs > SETTLED_MS && !frozen.has(seat))
    const able = well.filter((seat) => well.some((other) => other !== seat && kindOf(other) === kindOf(seat)))
    if (able.length > 0) return random.one(able)
    await sleep(50)
  }
}

const kindOf = ({ kind }: Seat): string => kind.replace(/-\d+$/, '')

async function killOne(seat: Seat, { progress, log }: Disturbing, done: Disturbance): Promise<void> {
  const { pid } = seat
  const worked = readings.filter(({ group }) => progress.findLast((one) => one.group === group)?.pid === pid)
  const at = Date.now()
  seat.kill()
  count(done, 'service processes killed')
  // what waits now waits for the next owner; a broker that is away tells nothing, and that kill is no measurement
  const waiting = await Promise.all(
    worked.map(async (reading) => ((await lagOf(reading, log).catch(() => 0)) > 1 ? [reading.group] : [])),
  )
  done.kills.push({ at, pid, waiting: waiting.flat() })
}

async function freeze(given: Disturbing, done: Disturbance, frozen: Set<Seat>): Promise<void> {
  const seat = await victim(given, frozen)
  frozen.add(seat)
  count(done, 'service processes frozen')
  await seat.freeze(given.random.between(...FROZEN_MS))
  frozen.delete(seat)
}

async function killEngine(which: 'kafka' | 'clickhouse', { engines }: Disturbing, done: Disturbance): Promise<void> {
  const engine = which === 'kafka' ? engines.kafka : engines.clickhouseEngine
  const from = Date.now()
  const before = engine.pid()
  process.kill(before, 'SIGKILL')
  count(done, `${which} killed`)
  while (engine.pid() === before) await sleep(50)
  done.spans.push({ what: `${which} killed`, from, to: Date.now() })
}

async function storeAway({ engines, log, say }: Disturbing, done: Disturbance, awayMs: number): Promise<void> {
  say(`ClickHouse is away for ${awayMs / 1000} s`)
  const from = Date.now()
  await engines.proxies.clickhouse.trouble('away', awayMs)
  const back = Date.now()
  done.spans.push({ what: OUTAGE, from, to: back })
  count(done, OUTAGE)
  const views = readings.filter(({ group }) => group.startsWith('view:'))
  const behind = async () => (await Promise.all(views.map((view) => lagOf(view, log)))).some((lag) => lag > 20)
  while (await behind()) await sleep(200)
  done.caughtUpMs = Date.now() - back
}

/** How long what lasts may last: longer than a client waits for a healthy answer, shorter than for a dead one. */
const LASTS_MS = [300, 2_500] as const

async function troubles({ engines, random }: Disturbing, done: Disturbance, signal: AbortSignal): Promise<void> {
  const ways: readonly [string, Proxy][] = Object.entries(engines.proxies)
  while (!signal.aborted) {
    await sleep(random.between(...BETWEEN_TROUBLES_MS), undefined, { signal }).catch(() => undefined)
    const [name, proxy] = random.one(ways)
    const kind: ProxyTrouble = random.one(TROUBLES)
    const from = Date.now()
    count(done, `${name} ${kind}`)
    await proxy.trouble(kind, random.between(...LASTS_MS))
    done.spans.push({ what: `${name} ${kind}`, from, to: Date.now() })
  }
}
