import type { RetriedLettersResolution } from '../../runtime/dead-letter.ts'
import { eta, progressOf } from '../progress.ts'
import type { Wiring } from '../../ports/wiring.ts'
import { countsOf, lineOfCount } from './counts.ts'
import { filterOf, type FilterOptions, deadTopics } from './filter.ts'
import { settle, type SettledLetters } from './settle.ts'
import type { CommandOptions } from '../options.ts'

export interface ResolveOptions extends Omit<FilterOptions, 'settled'>, CommandOptions {
  readonly all?: true
}

/** `story dead retry` and `drop`. */
export async function resolve(wiring: Wiring, how: RetriedLettersResolution, options: ResolveOptions): Promise<void> {
  const { json, dryRun = false } = options
  checkSelection(options)
  const { letters, gone } = await settleSelected(wiring, how, options)
  // count them as they were before
  const counts = await countsOf(letters.map((letter) => ({ ...letter, resolution: null })))
  const total = letters.length
  const { out } = wiring
  if (json) {
    out.json({ dry_run: dryRun, [how]: total, counts, gone })
    return
  }
  counts.forEach((count) => out.line(lineOfCount(count)))
  out.line(`${total} dead letters ${dryRun ? `would be ${how}` : how}`)
  gone.forEach((id) => out.line(`${id}: the original record is no longer in its topic and cannot be retried`))
}

/** Without a filter, `--all` is required, so that nobody resolves all letters by accident. */
function checkSelection({ all, stage, topic, reason, namespace, since, until, id }: ResolveOptions): void {
  const selectors = [all, stage, topic, reason, namespace, since, until, id]
  if (selectors.every((selector) => selector === undefined)) {
    throw new Error(
      'Select dead letters with --id, --stage, --topic, --reason, --namespace, --since or --until, or use --all',
    )
  }
}

async function settleSelected(
  wiring: Wiring,
  how: RetriedLettersResolution,
  options: ResolveOptions,
): Promise<SettledLetters> {
  const { clock } = wiring
  const begun = clock.now()
  const progress = progressOf(wiring)
  const found = await settle(
    {
      log: await wiring.log(),
      codec: () => wiring.codec(),
      dryRun: options.dryRun === true,
      onSettled: (done) => {
        progress.update(() => eta({ done, whole: null, elapsedMs: clock.now() - begun, of: 'dead letters' }))
      },
    },
    how,
    { topics: deadTopics(options.topic), filter: filterOf(options, begun) },
  )
  progress.end()
  return found
}
