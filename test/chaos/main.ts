import { z } from 'zod'
import { disturbedRun, undisturbedRun, type ChaosOptions, type ChaosReport } from './chaos.ts'
import type { FinalState } from './checks.ts'
import { argumentsBy, seedAndJson, stopwatch } from './command-line.ts'
import { percentile, type Recovery } from './recovery.ts'

const Given = z.object({
  kills: z.coerce.number().int().min(0).default(200),
  articles: z.coerce.number().int().min(1).default(340),
  away: z.coerce.number().min(0).default(60),
  ...seedAndJson,
})

/** A working process that dies is replaced within this, in ninety-nine of a hundred cases. */
const RECOVERED_MS = 5_000
const MEMBERS = 2
const AT_ONCE = 40

const HELP = `npx tsx test/chaos/main.ts [--kills N] [--articles N] [--away SECONDS] [--seed S] [--json]
Kills processes of the service and of the engines while articles are imported, and compares what is left with a run that
nobody disturbed. Without words: ${JSON.stringify(Given.omit({ seed: true }).parse({}))}. 200 kills take an hour.`

const given = argumentsBy(Given, HELP)
const { seed } = given
const { say } = stopwatch()
const options: ChaosOptions = {
  kills: given.kills,
  articles: given.articles,
  awayMs: given.away * 1000,
  seed,
  atOnce: AT_ONCE,
  members: MEMBERS,
  say,
}

say(`seed ${seed}: the same blows in the same order with --seed ${seed}`)
const report = await disturbedRun(options)
say(`disturbed: ${JSON.stringify(countsOf(report))}`)
const quiet = await undisturbedRun(report.chunks, options)
const verdict = judge(report, quiet)
if (given.json) console.log(JSON.stringify(verdict))
else print(verdict)
process.exit(verdict.passed ? 0 : 1) // a connection to an engine that is gone must not keep it

/** What is known before there is anything to compare with. */
function countsOf({ left, done, recoveries, crashes }: ChaosReport) {
  const { lost, doubled, deadLetters } = left
  return {
    ...done.counts,
    lost: lost.length,
    doubled: doubled.length,
    letters: deadLetters.length,
    crashes,
    recovery: figures(recoveries),
  }
}

/** Everything there is to say about a run, and whether it passed. */
function judge(
  { left, done, recoveries, crashes, importsAgain, seconds, chunks }: ChaosReport,
  undisturbed: FinalState,
) {
  const { hashes, rows, published, lost, doubled, repeated, deadLetters, events } = left
  const differing = Object.keys(undisturbed.hashes).filter((view) => hashes[view] !== undisturbed.hashes[view])
  const tables = Object.keys(undisturbed.tables).filter((table) => left.tables[table] !== undisturbed.tables[table])
  const alone = recoveries.filter(({ meanwhile }) => meanwhile.length === 0)
  const recovery = { while_nothing_else_was_wrong: figures(alone), all: figures(recoveries) }
  const p99 = recovery.while_nothing_else_was_wrong.p99_ms
  const failures = [
    ...(lost.length > 0 ? [`${lost.length} articles are in no view`] : []),
    ...(doubled.length > 0 ? [`${doubled.length} events stand twice in a topic written in transactions`] : []),
    ...(deadLetters.length > 0 ? [`${deadLetters.length} dead letters`] : []),
    ...differing.map((view) => `${view} differs from the undisturbed run (tables: ${tables.join(', ')})`),
    ...(p99 !== null && p99 > RECOVERED_MS ? [`recovery p99 is ${p99} ms`] : []),
    ...crashes.map((crash) => `${crash} without having been killed`),
  ]
  return {
    passed: failures.length === 0,
    failures,
    ...{ seed, seconds: Math.round(seconds), articles: chunks.reduce((sum, chunk) => sum + chunk.articles, 0) },
    done: done.counts,
    ...{ published, lost: lost.length, events, doubled: doubled.length, repeated, imports_again: importsAgain },
    dead_letters: deadLetters.slice(0, 20),
    recovery,
    clickhouse_caught_up_ms: done.caughtUpMs,
    hashes: Object.keys(undisturbed.hashes).map((view) => ({
      view,
      rows: rows[view],
      hash: hashes[view],
      undisturbed: undisturbed.hashes[view],
      undisturbed_rows: undisturbed.rows[view],
    })),
  }
}

function figures(of: readonly Recovery[]) {
  const times = of.map(({ ms }) => ms)
  const slowest = of.reduce<Recovery | null>((most, one) => (most === null || one.ms > most.ms ? one : most), null)
  return { samples: of.length, p50_ms: percentile(times, 0.5), p99_ms: percentile(times, 0.99), slowest }
}

function print(verdict: ReturnType<typeof judge>): void {
  const { passed, failures, hashes, done, recovery, ...counts } = verdict
  console.log(`seed ${counts.seed}, ${counts.articles} articles, ${counts.seconds} s`)
  for (const [what, times] of Object.entries(done)) console.log(`  ${what.padEnd(30)} ${times}`)
  console.log(`published ${counts.published}, lost ${counts.lost}; events ${counts.events}, doubled ${counts.doubled};`)
  console.log(`written again under the old id ${counts.repeated}; dead letters ${counts.dead_letters.length}`)
  for (const [which, { samples, p50_ms, p99_ms, slowest }] of Object.entries(recovery)) {
    console.log(
      `recovery (${which}): ${samples} samples, p50 ${p50_ms} ms, p99 ${p99_ms} ms, slowest ${slowest?.group}`,
    )
  }
  if (counts.clickhouse_caught_up_ms !== null) console.log(`caught up ${counts.clickhouse_caught_up_ms} ms after`)
  for (const { view, rows, hash, undisturbed } of hashes) {
    console.log(`  ${view.padEnd(14)} ${hash} ${hash === undisturbed ? '=' : `≠ ${undisturbed}`}  ${rows} rows`)
  }
  failures.forEach((failure) => console.log(`FAILED: ${failure}`))
  console.log(passed ? 'passed' : 'failed')
}
