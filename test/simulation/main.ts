import { fork } from 'node:child_process'
import { parseArgs } from 'node:util'
import { repeats, schedule, type Schedule } from './schedule.ts'

const HELP = `npx tsx test/simulation/main.ts [--schedules N | --minutes M] [--seed S] [--processes P] [--trace]
Lives through schedules of the whole pipeline and checks each; new seeds each time unless --seed says where to begin.`

const { values } = parseArgs({
  options: {
    schedules: { type: 'string' },
    minutes: { type: 'string' },
    seed: { type: 'string' },
    processes: { type: 'string', default: '2' },
    trace: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
    // of one process of several
    every: { type: 'string' },
  },
})

interface ScheduleRange {
  readonly first: number
  readonly schedules: number
  readonly until: number
}

function scheduleRange(): ScheduleRange {
  const minutes = values.schedules === undefined ? Number(values.minutes ?? 3) : Number(values.minutes ?? Infinity)
  const schedules = Number(values.schedules ?? Infinity)
  const first = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))
  if (![first, schedules, minutes].every((number) => number >= 0)) throw new Error(`not a number\n${HELP}`)
  return { first, schedules, until: Date.now() + minutes * 60_000 }
}

/** Every so-many-th seed from the first on, each result handed on. */
async function live({ first, schedules, until }: ScheduleRange, onEach: (one: Schedule) => void): Promise<void> {
  const every = Number(values.every ?? 1)
  const onStep = values.trace ? (line: string): void => console.log(line) : null
  for (let i = 0; i < schedules && Date.now() < until; i += every) onEach(await schedule(first + i, onStep))
}

/** Several processes, since a schedule is one thread. */
async function spread({ first, schedules, until }: ScheduleRange, onEach: (one: Schedule) => void): Promise<void> {
  const processes = Number(values.processes)
  const script = process.argv[1] ?? ''
  await Promise.all(
    Array.from({ length: processes }, async (_, i) => {
      const minutes = Math.max(0, until - Date.now()) / 60_000
      const left = schedules === Infinity ? [] : ['--schedules', String(Math.max(0, schedules - i))]
      const limits = minutes === Infinity ? [] : ['--minutes', String(minutes)]
      const child = fork(script, ['--seed', String(first + i), '--every', String(processes), ...left, ...limits])
      child.on('message', (one) => {
        onEach(one as Schedule)
      })
      const code = await new Promise<number | null>((resolve) => child.once('exit', resolve))
      if (code !== 0) throw new Error(`a process of the simulation ended with ${code ?? 'a signal'}`)
    }),
  )
}

/** What all of it came to. */
class SimulationTally {
  private readonly started = Date.now()
  private reportedAt = Date.now()
  private schedules = 0
  private steps = 0
  private records = 0
  private readonly faults = new Map<string, number>()
  readonly broken: number[] = []

  add(one: Schedule): void {
    this.schedules += 1
    this.steps += one.steps
    this.records += one.records
    for (const [fault, times] of Object.entries(one.faults)) {
      this.faults.set(fault, (this.faults.get(fault) ?? 0) + times)
    }
    if (one.violations.length > 0) this.report(one)
    if (Date.now() - this.reportedAt < 30_000) return
    this.reportedAt = Date.now()
    console.error(this.summary())
  }

  summary(): string {
    const seconds = (Date.now() - this.started) / 1000
    const faults = [...this.faults.values()].reduce((sum, times) => sum + times, 0)
    return (
      `${this.schedules} schedules in ${seconds.toFixed(0)} s (${(this.schedules / seconds).toFixed(1)} a second), ` +
      `${this.steps} steps, ${this.records} records, ${faults} faults, ${this.broken.length} with violations`
    )
  }

  finish(): void {
    for (const [fault, times] of [...this.faults].sort()) console.log(`${fault.padEnd(18)}${times}`)
    console.log(this.summary())
  }

  private report({ seed, violations }: Schedule): void {
    this.broken.push(seed)
    console.log(`seed ${seed}: ${violations.length} violations`)
    for (const violation of violations.slice(0, 8)) console.log(`  ${violation.slice(0, 300)}`)
    console.log(`  again: ${repeats(seed)}`)
  }
}

async function main(): Promise<void> {
  if (values.help) {
    console.log(HELP)
    return
  }
  const limits = scheduleRange()
  if (values.every !== undefined) {
    await live(limits, (one) => process.send?.(one))
    process.disconnect()
    return
  }
  const tally = new SimulationTally()
  const isOne = limits.schedules === 1 || values.trace
  console.log(`seeds from ${limits.first} on`)
  await (isOne ? live : spread)(limits, (one) => {
    tally.add(one)
  })
  tally.finish()
  process.exitCode = tally.broken.length > 0 ? 1 : 0
}

await main()
