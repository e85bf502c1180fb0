import { RETRIED_FOR, type Headers, type LogRecord, type OutRecord, type Place } from '../ports/log.ts'

/** Where a record first stood, and when the log first took it (milliseconds since 1970). */
export interface FirstLogged extends Place {
  readonly loggedAt: number
}

/** A record that was sent again is the one it was: what follows from its place follows from its first one. */
export function firstLogged({ topic, partition, offset, loggedAt, headers }: LogRecord): FirstLogged {
  const first = { partition: headers['original_partition'], offset: headers['original_offset'] }
  const isRetried = headers[RETRIED_FOR] !== undefined && headers['original_topic'] === topic
  if (!isRetried || !isNumber(first.partition) || !isNumber(first.offset)) return { topic, partition, offset, loggedAt }
  const since = headers['original_logged_at']
  return {
    topic,
    partition: Number(first.partition),
    offset: Number(first.offset),
    loggedAt: isNumber(since) ? Number(since) : loggedAt,
  }
}

const isNumber = (text: string | undefined): boolean => text !== undefined && /^\d{1,15}$/.test(text)

/** What a stage has to read of a topic: not what was sent again for another one, for it has had that already. */
export const isFor =
  (stage: string) =>
  ({ headers }: LogRecord): boolean =>
    (headers[RETRIED_FOR] ?? stage) === stage

/** What setting aside has written over a record's own headers. */
const OURS = new Set(['stage', 'reason', 'error', 'original_key'])

/** Of a dead letter: the record as it was, for the stage alone that had set it aside. */
export function sentAgain(letter: LogRecord, original: Place, record: Pick<LogRecord, 'key' | 'value'>): OutRecord {
  const kept = Object.entries(letter.headers).filter(([name]) => !OURS.has(name))
  return {
    topic: original.topic,
    partition: original.partition,
    key: record.key,
    value: record.value,
    headers: { ...Object.fromEntries(kept), [RETRIED_FOR]: letter.headers['stage'] ?? '' },
  }
}

/** What was done about a dead letter. */
export type RetriedLettersResolution = 'retried' | 'dropped'

/** Written beside the letter: from here on it is settled. It repeats the letter, so that its readers need no look-up. */
export const settled = (letter: LogRecord, how: RetriedLettersResolution): OutRecord => ({
  topic: letter.topic,
  partition: letter.partition,
  key: letter.key,
  value: letter.value,
  headers: { ...letter.headers, resolved: how, resolved_letter: `${letter.partition}:${letter.offset}` },
})

/** Null: a letter, and no word about one. */
export const resolutionOf = (headers: Headers): RetriedLettersResolution | null =>
  headers['resolved'] === 'retried' || headers['resolved'] === 'dropped' ? headers['resolved'] : null

/**
 * A letter's name: equal for a repeat of it (a stage that dies before it commits sets aside again), and for the word that
 * settles it; another one when a retried record was refused once more.
 */
export const letterName = ({ headers }: LogRecord): string =>
  ['stage', 'attempts', 'original_topic', 'original_partition', 'original_offset']
    .map((name) => headers[name] ?? '')
    .join(' ')
