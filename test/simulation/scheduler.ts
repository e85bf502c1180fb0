import type { SimulationRandom } from './random.ts'

/** Somebody whose steps are scheduled: a process, or the world outside. */
export class Actor {
  readonly name: string
  /** Nothing it asked is ever answered any more. */
  dead = false
  /** It does not get on before that, and does not know it: milliseconds since 1970. */
  pausedUntil = 0

  constructor(name: string) {
    this.name = name
  }
}

/** Something that may happen next. */
interface SchedulerStep {
  readonly actor: Actor
  readonly label: string
  readonly go: () => void
}

interface Timer extends SchedulerStep {
  readonly at: number
}

/** What goes on in a process between two steps takes no more turns of the event loop than that. */
const QUIET_TURNS = 4

const turn = async (): Promise<void> => {
  await new Promise<void>((resolve) => setImmediate(resolve))
}

/**
 * Decides alone what happens next. Whoever calls a port waits as a step; one step goes on at a time, chosen by the seed, and
 * the next is chosen once nothing moves any more. Time is virtual: it passes a little with steps, and to the next timer
 * when there is no step.
 */
export class Scheduler {
  /** Milliseconds since 1970. */
  now: number
  /** Who goes on just now. */
  current: Actor
  steps = 0
  /** A hash over everything that has happened, in order. */
  hash = 0x811c9dc5
  readonly random: SimulationRandom
  private readonly onStep: ((line: string) => void) | null
  private ready: SchedulerStep[] = []
  private timers: Timer[] = []
  /** How seldom a step whose label begins so is taken; others are taken whenever they are drawn. */
  private readonly slowness = new Map<string, number>()

  constructor(
    random: SimulationRandom,
    { start, onStep }: { readonly start: number; readonly onStep: Scheduler['onStep'] },
  ) {
    this.random = random
    this.now = start
    this.onStep = onStep
    this.current = new Actor('nobody')
  }

  /** Resolves when the scheduler says so. Never, once the actor is dead. */
  async step(actor: Actor, label: string): Promise<void> {
    await new Promise<void>((go) => {
      this.add({ actor, label, go })
    })
  }

  add(step: SchedulerStep): void {
    if (!step.actor.dead) this.ready.push(step)
  }

  /** Returns what takes it back. */
  after(ms: number, step: SchedulerStep): () => void {
    const timer: Timer = { ...step, at: this.now + Math.ceil(Math.max(0, ms)) }
    this.timers.push(timer)
    return () => {
      const at = this.timers.indexOf(timer)
      if (at >= 0) this.timers.splice(at, 1)
    }
  }

  slow(label: string, seldom: number): void {
    this.slowness.set(label, seldom)
  }

  hurry(): void {
    this.slowness.clear()
  }

  /** What it asked is never answered, what it waits for does not come. */
  kill(actor: Actor): void {
    actor.dead = true
    this.ready = this.ready.filter((step) => step.actor !== actor)
    this.timers = this.timers.filter((timer) => timer.actor !== actor)
  }

  note(line: string): void {
    for (let i = 0; i < line.length; i++) this.hash = Math.imul(this.hash ^ line.charCodeAt(i), 0x01000193)
    this.onStep?.(`${this.now} ${line}`)
  }

  /** One step, or a jump to the next timer; false: nothing will ever happen of itself. */
  async next(): Promise<boolean> {
    this.ringTimers()
    const step = this.choose()
    if (step === null) return (await this.stirs()) || this.jump()
    this.steps += 1
    this.note(`${step.actor.name} ${step.label}`)
    this.current = step.actor
    step.go()
    await turn()
    if (this.random.chance(0.3)) this.now += this.random.between(1, 3)
    return true
  }

  private async stirs(): Promise<boolean> {
    for (let turns = 0; turns < QUIET_TURNS; turns++) {
      await turn()
      if (this.ready.some((step) => this.isAwake(step))) return true
    }
    return false
  }

  private jump(): boolean {
    let next = Infinity
    for (const { at, actor } of this.timers) next = Math.min(next, Math.max(at, actor.pausedUntil))
    for (const { actor } of this.ready) next = Math.min(next, actor.pausedUntil)
    if (next === Infinity) return false
    this.now = Math.max(this.now, next)
    return true
  }

  /** Timers that are due go on in any order, as they do on a busy machine. */
  private ringTimers(): void {
    if (!this.timers.some((timer) => timer.at <= this.now)) return
    for (const timer of this.timers) if (timer.at <= this.now) this.ready.push(timer)
    this.timers = this.timers.filter((timer) => timer.at > this.now)
  }

  private choose(): SchedulerStep | null {
    const awake = this.ready.every((step) => this.isAwake(step))
      ? this.ready
      : this.ready.filter((step) => this.isAwake(step))
    if (awake.length === 0) return null
    let step = this.random.pick(awake)
    for (let tries = 0; tries < 6 && this.random.chance(this.slownessOf(step)); tries++) step = this.random.pick(awake)
    this.ready.splice(this.ready.indexOf(step), 1)
    return step
  }

  private slownessOf({ label }: SchedulerStep): number {
    return this.slowness.size === 0 ? 0 : (this.slowness.get(label.slice(label.indexOf(' ') + 1)) ?? 0)
  }

  private isAwake({ actor }: SchedulerStep): boolean {
    return actor.pausedUntil <= this.now
  }
}
