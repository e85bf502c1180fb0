import { inspect } from 'node:util'
import { type LogRecord, type OutRecord, type Place, RecordTooLarge, RETRIED_FOR, type Headers } from '../ports/log.ts'
import type { RuntimePorts } from './running.ts'

export const deadTopic = (topic: string): string => `${topic}.dead`

export interface LetterCause {
  readonly stage: string
  readonly reason: string
  readonly cause?: unknown
}

const ERROR_CHARS = 1000

/** A record set aside: its bytes, key and headers untouched, and its story in headers of ours. */
export function deadLetter(record: LogRecord, { stage, reason, cause }: LetterCause): OutRecord {
  const first = firstLogged(record)
  return {
    topic: deadTopic(record.topic),
    key: record.key,
    value: record.value,
    headers: {
      ...record.headers,
      stage,
      reason,
      attempts: String(attemptsOf(record) + 1),
      original_topic: record.topic,
      original_partition: String(first.partition),
      original_offset: String(first.offset),
      ...(record.key === null ? {} : { original_key: record.key }),
      original_logged_at: String(first.loggedAt),
      error: messageOf(cause).slice(0, ERROR_CHARS),
    },
  }
}

/** A letter of less fits into any topic, and many of them into several requests. */
const LARGE_BYTES = 500_000

const STORY = [
  'request_id',
  'stage',
  'attempts',
  'original_topic',
  'original_partition',
  'original_offset',
  'original_logged_at',
  'error',
]

/** For a log that said `RecordTooLarge`: of a large letter only where the record stands (it is still there), and why. */
export function shortened(letter: OutRecord): OutRecord {
  if (bytesOf(letter) < LARGE_BYTES) return letter

  const { topic, key, headers = {} } = letter
  const story = Object.fromEntries(Object.entries(headers).filter(([name]) => STORY.includes(name)))
  const error = `${headers['reason'] ?? ''}: ${headers['error'] ?? ''}`
  const keyBytes = key === null ? 0 : Buffer.byteLength(key)
  return {
    topic,
    key: keyBytes < ERROR_CHARS ? key : null,
    value: null,
    headers: { ...story, reason: 'too_large', error },
  }
}

function bytesOf({ key, value, headers = {} }: OutRecord): number {
  const texts = [key ?? '', ...Object.entries(headers).flat()]
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), value?.length ?? 0)
}

/** A retried letter comes back with the headers it was set aside with, so its attempts add up. */
const attemptsOf = ({ headers }: LogRecord): number => numberOf(headers['attempts'])

const messageOf = (cause: unknown): string =>
  cause === undefined ? '' : cause instanceof Error ? cause.message : inspect(cause)

export interface Letter {
  readonly stage: string
  readonly reason: string
  readonly attempts: number
  readonly original: Place
  /** When the log first took it, milliseconds since 1970. */
  readonly loggedAt: number
  /** Null: this is a letter; else the word that settles one. */
  readonly resolved: RetriedLettersResolution | null
}

/** What the headers of a dead letter say. */
export function readDeadLetter({ headers, ...record }: LogRecord): Letter {
  return {
    stage: headers['stage'] ?? '',
    reason: headers['reason'] ?? 'unknown',
    attempts: numberOf(headers['attempts']),
    original: {
      topic: headers['original_topic'] ?? record.topic.replace(/\.dead$/, ''),
      partition: numberOf(headers['original_partition']),
      offset: numberOf(headers['original_offset']),
    },
    loggedAt: numberOf(headers['original_logged_at']),
    resolved: resolutionOf(headers),
  }
}

function numberOf(text: string | undefined): number {
  const value = Number(text ?? 0)
  return Number.isFinite(value) ? value : 0
}

/** Writes dead letters; what the log will never take for its size is written without its bytes, so that the rest goes on. */
export async function setAside(
  letters: readonly OutRecord[],
  { log, logger }: Pick<RuntimePorts, 'log' | 'logger'>,
): Promise<void> {
  try {
    await log.produce(letters)
  } catch (cause) {
    if (!(cause instanceof RecordTooLarge)) throw cause
    logger.warn({ err: cause }, 'dead letter too large, written without its bytes')
    await log.produce(letters.map(shortened))
  }
}

/** Where a record first stood, and when the log first took it (milliseconds since 1970). */
interface FirstLogged extends Place {
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
const resolutionOf = (headers: Headers): RetriedLettersResolution | null =>
  headers['resolved'] === 'retried' || headers['resolved'] === 'dropped' ? headers['resolved'] : null

/**
 * A letter's name: equal for a repeat of it (a stage that dies before it commits sets aside again), and for the word that
 * settles it; another one when a retried record was refused once more.
 */
export const letterName = ({ headers }: LogRecord): string =>
  ['stage', 'attempts', 'original_topic', 'original_partition', 'original_offset']
    .map((name) => headers[name] ?? '')
    .join(' ')
