import type { RefusedLine, SourceTally } from '../sources/tally.ts'
import { printRefusals } from './import-options.ts'
import type { Wiring } from '../ports/wiring.ts'

/**
 * `accepted` = articles + revisions + repeats of this import. With `--wait`, `new` is the number of articles that the
 * service did not have, and accepted = new + revisions + repeats; without it `new` is `null`, because it is not known.
 */
export const reportOf = (tally: SourceTally, seconds: number) => ({
  accepted: tally.accepted,
  articles: tally.articles,
  new: tally.added,
  revisions: tally.revisions,
  repeats: tally.repeats,
  refused: tally.refusals.length,
  refusals: tally.refusals,
  refused_later: tally.refusedLater,
  seconds,
})

/** `1 article`, `2 articles`. */
export const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`

/** Prints the tally as text. `unit`: what the number of a refusal counts. */
export function printTally(
  wiring: Wiring,
  tally: SourceTally,
  { seconds, unit }: { seconds: number; unit: 'line' | 'item' },
): void {
  const later = tally.refusedLater.map(({ article_id, reason }) => `${article_id}: ${reason} (refused by a stage)`)
  printRefusals(wiring, [...tally.refusals.map((refused) => refusalLine(refused, unit)), ...later])
  const { accepted, articles, added, revisions, repeats, refusals } = tally
  const parts = [
    added === null ? counted(articles, 'article') : `${added} new`,
    counted(revisions, 'revision'),
    added === null ? `${repeats} repeated in this import` : counted(repeats, 'repeat'),
  ]
  wiring.out.line(`${accepted} accepted (${parts.join(', ')}), ${refusals.length} refused, ${seconds.toFixed(1)} s`)
}

/** `feed.xml item 3 "Short": text_too_short (10 of at least 100 characters)` */
function refusalLine({ file, line, title, message }: RefusedLine, unit: string): string {
  const name = title === undefined ? '' : ` ${JSON.stringify(title)}`
  return `${file === undefined ? '' : `${file} `}${unit} ${line}${name}: ${message}`
}

/** Determines the exit code: `checkOutcome` throws an error if it is 1. */
export interface ImportReportOutcome {
  readonly accepted: number
  readonly refused: number
  readonly strict: boolean
  /** Whether an input without records is a failure. */
  readonly emptyIsFailure: boolean
}

/** Articles rejected by later stages count as refused. */
export const outcomeOf = ({
  accepted,
  refusals,
  refusedLater,
}: SourceTally): Pick<ImportReportOutcome, 'accepted' | 'refused'> => ({
  accepted,
  refused: refusals.length + refusedLater.length,
})

export function checkOutcome({ accepted, refused, strict, emptyIsFailure }: ImportReportOutcome): void {
  if (accepted === 0 && refused > 0) throw new Error(`nothing was accepted, ${refused} refused`)
  if (accepted === 0 && emptyIsFailure) throw new Error('nothing was accepted: no records found')
  if (strict && refused > 0) throw new Error(`${refused} refused (--strict)`)
}

/** Throws if a file was not imported because of its header, even if other files were imported. */
export function checkHeaders({ refusals }: SourceTally): void {
  const headers = refusals.filter(({ reason }) => reason === 'header_invalid').length
  if (headers > 0) throw new Error(`${counted(headers, 'file')} without a usable header`)
}
