import type { ComparedTable } from './compare.ts'
import type { TableOutcome } from './one-view.ts'
import type { RebuildPlan } from './plan.ts'
import type { ViewOutcome } from './run.ts'

/** What became of the rebuild of a view, as a person reads it. */
export function outcomeLines({ view, records, tables, exchanged, read_again }: ViewOutcome): readonly string[] {
  const verdict = exchanged ? 'rebuilt and live' : 'NOT swapped: differs from the live view'
  const again = exchanged && read_again > 0 ? `, ${read_again} of them again after the swap` : ''
  return [`${view.padEnd(12)} ${verdict} (${records} records${again})`, ...tables.flatMap(tableLines)]
}

function tableLines(outcome: TableOutcome): readonly string[] {
  const { table, rebuilt, live, carried, counts } = outcome
  const kept = carried === 0 ? '' : `, ${carried} copied that are no longer in the log`
  const word = !counts ? 'passing' : outcome.same ? 'same' : 'DIFFERS'
  return [
    `  ${table.padEnd(18)} ${word.padEnd(8)} ${rebuilt.hash.padEnd(16)} ${rebuilt.rows} rows${kept}`,
    ...(word === 'DIFFERS' ? differenceLines(outcome) : []),
    ...(word === 'DIFFERS' ? [`  ${''.padEnd(18)} live:    ${live.hash.padEnd(16)} ${live.rows} rows`] : []),
  ]
}

function differenceLines({ difference }: ComparedTable): readonly string[] {
  if (difference === null) return ['    too many rows to compare row by row']
  const { only_live, only_rebuilt } = difference
  return [
    ...[`    only in the live table: ${only_live.rows}`, ...only_live.examples.map((key) => `      ${key}`)],
    ...[`    only in the rebuilt table: ${only_rebuilt.rows}`, ...only_rebuilt.examples.map((key) => `      ${key}`)],
  ]
}

/** What a rebuild would do. */
export function planLines({
  view,
  topics,
  records,
  rows,
  seconds,
  from_percent,
  claimed_by,
}: RebuildPlan): readonly string[] {
  const time = seconds === null ? '' : `, about ${seconds} s`
  return [
    `${view.padEnd(12)} would read ${records} records${time}`,
    ...topics.map((topic) => `  ${topic.topic.padEnd(24)} ${topic.records} records`),
    ...rows.map((table) => `  ${table.table.padEnd(24)} ${table.rows} rows now`),
    ...(from_percent === null ? [] : [`  would resume at ${from_percent} % (--restart starts from the beginning)`]),
    ...(claimed_by === null
      ? []
      : [`  process ${claimed_by.pid} on ${claimed_by.host} has been rebuilding it since ${claimed_by.since}`]),
  ]
}
