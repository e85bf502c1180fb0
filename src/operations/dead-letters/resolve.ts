import type { RetriedLettersResolution } from '../../runtime/dead-letter.ts'
import { progressOn } from '../../sources/progress.ts'
import { eta } from '../eta.ts'
import type { Wiring } from '../../ports/wiring.ts'
import { countsOf, lineOfCount, type DeadCount } from './counts.ts'
import { filterOf, type FilterOptions } from './filter.ts'
import { deadTopics } from './read-letters.ts'
import { settle } from './settle.ts'

export interface ResolveOptions extends Omit<FilterOptions, 'settled'> {
  readonly all?: true
  readonly json?: true
  readonly dryRun?: true
}

interface ResolveAnswer {
  readonly counts: readonly DeadCount[]
  /** Letters whose record is nowhere any more. */
  readonly gone: readonly string[]
}

/** `story dead retry` and `drop`. */
export async function resolve(wiring: Wiring, how: RetriedLettersResolution, options: ResolveOptions): Promise<void> {
  choosing(options)
  const answer = await answered(wiring, how, options)
  const total = answer.counts.reduce((sum, { letters }) => sum + letters, 0)
  if (options.json) {
    wiring.out.json({ dry_run: options.dryRun === true, [how]: total, counts: answer.counts, gone: answer.gone })
    return
  }
  answer.counts.forEach((count) => wiring.out.line(lineOfCount(count)))
  wiring.out.line(`${total} dead letters ${options.dryRun ? `would be ${how}` : how}`)
  answer.gone.forEach((id) =>
    wiring.out.line(`${id}: the original record is no longer in its topic and cannot be retried`),
  )
}

/** What takes any letter there is has to be meant. */
function choosing({ all, stage, topic, reason, namespace, since, until, id }: ResolveOptions): void {
  const choices = [all, stage, topic, reason, namespace, since, until, id]
  if (choices.every((choice) => choice === undefined)) {
    throw new Error(
      'Select dead letters with --id, --stage, --topic, --reason, --namespace, --since or --until, or use --all',
    )
  }
}

async function answered(
  wiring: Wiring,
  how: RetriedLettersResolution,
  options: ResolveOptions,
): Promise<ResolveAnswer> {
  const { clock, out } = wiring
  const begun = clock.now()
  const progress = progressOn({ live: process.stderr.isTTY, say: (text) => out.progress(text) }, clock)
  const { letters, gone } = await settle(
    {
      log: await wiring.log(),
      codec: () => wiring.codec(),
      dryRun: options.dryRun === true,
      onSettled: (letters) => {
        progress.update(() => eta({ done: letters, whole: null, elapsedMs: clock.now() - begun, of: 'dead letters' }))
      },
    },
    how,
    { topics: deadTopics(options.topic), filter: filterOf(options, begun) },
  )
  progress.end()
  // at the time of counting they are settled: that is what was asked for
  return { counts: await countsOf(letters.map((letter) => ({ ...letter, settled: null }))), gone }
}
