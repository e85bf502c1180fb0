import { DiskDouble } from '../builders/disk-double.ts'
import { PlainCodec } from '../../src/adapters/plain-codec.ts'
import { isStateTopic, type Topic } from '../../src/events/topic.ts'
import { pipeline, startStageAndEffect } from '../../src/pipeline.ts'
import { viewGroup, type Codec, type Decoded, type LogRecord, type Place as LogPlace } from '../../src/ports/log.ts'
import { createMetrics } from '../../src/runtime/metrics.ts'
import { defaultLimits, type Limits, type RuntimePorts } from '../../src/runtime/running.ts'
import { onlyStore, runView } from '../../src/runtime/run-view.ts'
import type { View } from '../../src/runtime/shapes.ts'
import { SimulationBroker } from './broker.ts'
import { needsOf } from './doubles.ts'
import { withSeededGlobals } from './globals.ts'
import { Faults, type FaultsAway, type WorldFault } from './faults.ts'
import { CHECKPOINT_MS, Process } from './process.ts'
import { SimulationRandom } from './random.ts'
import { Receivers } from './receivers.ts'
import { Actor, Scheduler } from './scheduler.ts'
import { Tables } from './tables.ts'
import { Workload } from './workload.ts'

/** 3 May 2016, 12:00 UTC. */
export const START = Date.UTC(2016, 4, 3, 12)

const limits: Limits = {
  ...defaultLimits,
  settleMs: 5,
  firstBackoffMs: 20,
  longestBackoffMs: 400,
  heartbeatMs: 200,
  checkpointMs: CHECKPOINT_MS,
  leastSavedBytes: 4_000,
}

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }
/** What is counted nobody asks for. */
const uncounted = (): RuntimePorts['metrics'] => ({
  ...createMetrics(),
  count: () => undefined,
  set: () => undefined,
  observe: () => undefined,
})

const STAGES = Object.keys(pipeline.stages) as readonly (keyof typeof pipeline.stages)[]

/** No schedule of an ordinary kind needs as many. */
const MOST_STEPS = 60_000

const placeName = ({ topic, partition, offset }: LogPlace): string => `${topic} ${partition} ${offset}`

const decodedOf = new WeakMap<Buffer, Decoded<unknown>>()

/** Reads each record's bytes once, since all that read it are in one process; a topic's bytes are read as that topic's only. */
class RememberingCodec extends PlainCodec {
  override async decode<Event>(topic: Topic<Event>, value: Buffer): Promise<Decoded<Event>> {
    const known = decodedOf.get(value)
    if (known !== undefined) return known as Decoded<Event>
    const decoded = await super.decode(topic, value)
    decodedOf.set(value, decoded)
    return decoded
  }
}

export const codec: Codec = new RememberingCodec()

/** A part of the whole service that starts and dies together. */
interface SimulationPlace {
  readonly name: string
  readonly roles: readonly string[]
  process: Process | null
  lives: number
  startAt: number
}

/** The whole pipeline, its log, its store and its bad luck, under one seed. */
export class Simulation {
  readonly seed: number
  readonly random: SimulationRandom
  readonly scheduler: Scheduler
  readonly faults: Faults
  readonly broker: SimulationBroker
  readonly tables = new Tables()
  private readonly metrics = uncounted()
  /** Periodic work of the processes that sleeps. */
  readonly background = new Set<Parameters<Scheduler['add']>[0]>()
  /** One disk that all processes share. */
  private readonly disk = new DiskDouble()
  readonly receivers: Receivers
  readonly codec = codec
  readonly network = new Actor('network')
  readonly violations: string[] = []
  /** How often a process died with a record in hand that was the next to be read, by group and place. */
  readonly deaths = new Map<string, number>()
  readonly batchRecords: number
  /** Views are alike: most schedules have some of them, and so there are more schedules. */
  readonly views: readonly View[]
  readonly roles: readonly string[]
  readonly workload: Workload
  private readonly places: SimulationPlace[]

  constructor(seed: number, onStep: ((line: string) => void) | null = null) {
    this.seed = seed
    const random = new SimulationRandom(seed)
    this.random = random.fork()
    this.scheduler = new Scheduler(random.fork(), { start: START, onStep })
    this.faults = new Faults(random.fork())
    this.broker = new SimulationBroker(random.pick([1, 1, 1, 2, 3]), {
      now: () => this.scheduler.now,
      random: random.fork(),
    })
    this.receivers = new Receivers(random.fork())
    this.batchRecords = random.pick([1, 3, 8, 40])
    this.views = random
      .shuffled(pipeline.views)
      .slice(0, random.chance(0.3) ? pipeline.views.length : 3)
      .map((view) => ({ ...view, derived: undefined })) // computed in SQL, which the simulated store does not run
    this.roles = [...STAGES, ...this.views.map(({ name }) => viewGroup(name))]
    this.places = placesOf(this.roles, random)
    this.workload = new Workload(this, random.fork())
    for (const role of this.roles) if (random.chance(0.1)) this.scheduler.slow(`poll ${role}`, 0.9)
  }

  violation(what: string): void {
    this.violations.push(what)
  }

  /** Everything that will happen; resolves when nothing more does. */
  async run(): Promise<void> {
    await withSeededGlobals(this.scheduler, () => this.live())
  }

  private async live(): Promise<void> {
    for (const place of this.places) this.start(place)
    let calmSince = Infinity
    for (let steps = 0; steps < MOST_STEPS; steps++) {
      if (this.workload.isOver && !this.faults.calm) {
        this.calm()
        calmSince = steps
      }
      if (!this.faults.calm) await this.disturb()
      this.restartTheDead()
      if (await this.scheduler.next()) continue
      if (this.workload.isOver && this.faults.calm) return
      this.workload.next()
    }
    this.violation(`no rest after ${MOST_STEPS} steps, ${MOST_STEPS - calmSince} of them without faults`)
  }

  /** The process dies of what it has just been asked, and never answers. */
  async dieOf(process: Process): Promise<void> {
    this.faults.count('deadly message')
    const place = this.places.find((one) => one.process === process)
    if (place !== undefined) this.crash(place)
    await new Promise<never>(() => undefined)
  }

  private async disturb(): Promise<void> {
    const [sleeper] = this.background
    if (sleeper !== undefined && this.random.chance(0.02)) {
      this.background.delete(sleeper)
      if (!sleeper.actor.dead) this.scheduler.add(sleeper)
    }
    if (!this.workload.isOver && this.random.chance(this.workload.rate)) this.workload.next()
    const fault = this.faults.ofWorld()
    if (fault === null) return
    this.scheduler.note(`-- ${fault}`)
    this.bring(fault)
    await Promise.resolve()
  }

  private bring(fault: WorldFault): void {
    const { random, scheduler, broker } = this
    const place = random.pick(this.places)
    const { process } = place
    if (fault === 'rebalance') {
      broker.rebalance(random.pick(this.roles))
      return
    }
    if (fault === 'compaction') {
      for (const topic of broker.names()) if (isStateTopic(topic)) broker.compact(topic)
      return
    }
    if (isAway(fault)) {
      this.faults.away(fault, scheduler.now + random.between(10, 2_000))
      return
    }
    if (process === null) return
    const ms = random.between(10, random.pick([200, 6_000]))
    if (fault === 'crash') this.crash(place)
    else if (fault === 'orderly restart') this.restart(place)
    else if (fault === 'pause') this.absent(process, () => (process.actor.pausedUntil = scheduler.now + ms))
    else this.absent(process, () => (process.cutOffUntil = scheduler.now + ms))
  }

  private crash(place: SimulationPlace): void {
    const { process } = place
    if (process === null) return
    for (const member of process.members) this.blame(member)
    this.scheduler.kill(process.actor)
    for (const member of process.members) this.expire(process, member)
    place.process = null
    place.startAt = this.scheduler.now + this.random.between(0, 1_500)
  }

  /** How often a process died while this record was the next one its group was to read. */
  deathsOf(group: string, place: string): number {
    return this.deaths.get(`${group} ${place}`) ?? 0
  }

  /** Too often. */
  diedOf(group: string, record: LogRecord): boolean {
    return this.deathsOf(group, placeName(record)) >= limits.crashes
  }

  private blame({ group, inHand }: Process['members'][number]): void {
    for (const { topic, partition } of inHand) {
      const key = `${group} ${topic} ${partition} ${this.broker.committed(group, topic, partition)?.offset ?? 0}`
      this.deaths.set(key, (this.deaths.get(key) ?? 0) + 1)
    }
  }

  /** Somebody the log does not hear of: its partitions go to others once its session has run out. */
  private absent(process: Process, makeAbsent: () => void): void {
    makeAbsent()
    for (const member of process.members) this.expire(process, member)
    const back = Math.max(process.actor.pausedUntil, process.cutOffUntil) - this.scheduler.now
    this.scheduler.after(back, { actor: process.actor, label: 'is back', go: () => wakeAll(process) })
  }

  private expire(process: Process, member: Process['members'][number]): void {
    const go = (): void => {
      const { now } = this.scheduler
      const isAbsent = process.actor.dead || process.actor.pausedUntil > now || process.isCutOff
      if (isAbsent) this.broker.leave(member)
    }
    this.scheduler.after(member.sessionMs, { actor: this.network, label: `session of ${member.group}`, go })
  }

  private restart(place: SimulationPlace): void {
    const { process } = place
    if (process === null) return
    place.process = null
    place.startAt = Infinity
    this.scheduler.current = process.actor
    void Promise.all(process.consumers.map((consumer) => consumer.stop())).then(() => {
      if (process.actor.dead) return
      this.scheduler.kill(process.actor)
      place.startAt = this.scheduler.now
    })
    // an orderly end is not waited for for ever
    const go = (): void => {
      if (process.actor.dead) return
      for (const member of process.members) this.blame(member)
      this.scheduler.kill(process.actor)
      for (const member of process.members) this.broker.leave(member)
      place.startAt = this.scheduler.now
    }
    this.scheduler.after(8_000, { actor: this.network, label: 'the end of patience', go })
  }

  private restartTheDead(): void {
    for (const place of this.places) {
      if (
        place.process === null &&
        (place.startAt <= this.scheduler.now || (this.faults.calm && place.startAt < Infinity))
      )
        this.start(place)
    }
  }

  private start(place: SimulationPlace): void {
    place.lives += 1
    const process = new Process(this, `${place.name}.${place.lives}`)
    place.process = process
    this.scheduler.current = process.actor
    void this.startRoles(place, process).catch((cause: unknown) => {
      this.violation(`${process.name} did not start: ${String(cause)}`)
    })
  }

  private async startRoles({ roles }: SimulationPlace, process: Process): Promise<void> {
    const needs = needsOf(process)
    const running: RuntimePorts = {
      log: process.log,
      codec: process.codec,
      checkpoints: this.disk.as(async (what) => {
        await this.scheduler.step(process.actor, what)
      }),
      clock: process.clock,
      logger: quiet,
      metrics: this.metrics,
      limits,
      onCrash: (cause) => this.violation(`${process.name} stopped itself: ${String(cause)}`),
    }
    for (const role of roles) {
      const view = this.views.find(({ name }) => viewGroup(name) === role)
      if (view !== undefined) {
        process.consumers.push(await runView(view, running, onlyStore(process.store)))
        continue
      }
      const stage = STAGES.find((name) => name === role)
      if (stage === undefined) continue
      process.consumers.push(...(await startStageAndEffect(stage, needs, running)))
    }
  }

  /** From now on nothing goes wrong, and whoever was away is back. */
  private calm(): void {
    this.faults.calm = true
    this.receivers.calm = true
    this.scheduler.hurry()
    this.scheduler.note('-- calm')
    for (const { process } of this.places) {
      if (process === null) continue
      process.actor.pausedUntil = 0
      process.cutOffUntil = 0
      wakeAll(process)
    }
  }
}

/** A client that is idle asks the log all the same, now and then. */
function wakeAll(process: Process): void {
  for (const member of process.members) member.wake()
}

const isAway = (fault: WorldFault): fault is FaultsAway & WorldFault =>
  ['store away', 'disk full', 'registry away', 'model away'].includes(fault)

/** One to three processes; each role in one of them at least. */
function placesOf(all: readonly string[], random: SimulationRandom): SimulationPlace[] {
  const count = random.pick([1, 2, 2, 3])
  const share = random.pick([0.2, 0.6, 1])
  const homes = new Map(all.map((role) => [role, random.between(0, count - 1)]))
  return Array.from({ length: count }, (_, i) => ({
    name: `p${i}`,
    roles: all.filter((role) => homes.get(role) === i || random.chance(share)),
    process: null,
    lives: 0,
    startAt: 0,
  }))
}
