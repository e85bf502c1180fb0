import { inspect } from 'node:util'
import {
  FIRST_PARTITION,
  type LogRecord,
  type OutRecord,
  type Place,
  RecordTooLarge,
  RETRIED_FOR,
} from '../ports/log.ts'
import type { RuntimePorts } from './running.ts'

export const deadTopic = (topic: string): string => `${topic}.dead`

export interface LetterCause {
  readonly stage: string
  readonly reason: string
  readonly cause?: unknown
}

const ERROR_CHARS = 1000

/** Builds the dead letter of a record: its bytes, key and headers, plus headers that say where and why it failed. */
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
      attempts: String(numberOf(record.headers['attempts']) + 1), // includes the attempts before a retry
      original_topic: record.topic,
      original_partition: String(first.partition),
      original_offset: String(first.offset),
      ...(record.key === null ? {} : { original_key: record.key }),
      original_logged_at: String(first.loggedAt),
      error: messageOf(cause).slice(0, ERROR_CHARS),
    },
  }
}

/** Letters smaller than this fit into any topic. */
const LARGE_BYTES = 500_000

const KEPT_HEADERS = [
  'request_id',
  'stage',
  'attempts',
  'original_topic',
  'original_partition',
  'original_offset',
  'original_logged_at',
  'error',
  FIRST_PARTITION,
]

/** Used after `RecordTooLarge`: a large letter keeps only the offset of its record and the reason. */
export function shortened(letter: OutRecord): OutRecord {
  if (bytesOf(letter) < LARGE_BYTES) return letter

  const { topic, key, headers = {} } = letter
  const kept = Object.fromEntries(Object.entries(headers).filter(([name]) => KEPT_HEADERS.includes(name)))
  const error = `${headers['reason'] ?? ''}: ${headers['error'] ?? ''}`
  const keyBytes = key === null ? 0 : Buffer.byteLength(key)
  return {
    topic,
    key: keyBytes < ERROR_CHARS ? key : null,
    value: null,
    headers: { ...kept, reason: 'too_large', error },
  }
}

function bytesOf({ key, value, headers = {} }: OutRecord): number {
  const texts = [key ?? '', ...Object.entries(headers).flat()]
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), value?.length ?? 0)
}

const messageOf = (cause: unknown): string =>
  cause === undefined ? '' : cause instanceof Error ? cause.message : inspect(cause)

export interface Letter {
  readonly stage: string
  readonly reason: string
  readonly attempts: number
  /** The position at which the record was first logged. */
  readonly original: Place
  /** When the record was first logged, milliseconds since 1970. */
  readonly loggedAt: number
  /** How a letter was resolved; `null` for a letter itself. */
  readonly resolved: RetriedLettersResolution | null
}

/** Parses the headers of a dead letter. */
export function readDeadLetter({ headers, ...record }: LogRecord): Letter {
  const { resolved } = headers
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
    resolved: resolved === 'retried' || resolved === 'dropped' ? resolved : null,
  }
}

function numberOf(text: string | undefined): number {
  const value = Number(text ?? 0)
  return Number.isFinite(value) ? value : 0
}

/**
 * Writes dead letters. A letter too large for the log is written without its bytes, so that the partition can continue.
 */
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

/** The place of a record when it was logged, before the partitions grew. Ids are derived from it. */
export function placeLogged({ topic, partition, offset, headers }: LogRecord): Place {
  const first = headers[FIRST_PARTITION]
  return { topic, partition: isNumber(first) ? Number(first) : partition, offset }
}

/**
 * Where and when a record was first logged. A retried record keeps the identity derived from its first offset, and a
 * record that moved as the partitions grew that of its first partition.
 */
export function firstLogged(record: LogRecord): Pick<LogRecord, keyof Place | 'loggedAt'> {
  const { topic, loggedAt, headers } = record
  const first = { partition: headers['original_partition'], offset: headers['original_offset'] }
  const isRetried = headers[RETRIED_FOR] !== undefined && headers['original_topic'] === topic
  if (!isRetried || !isNumber(first.partition) || !isNumber(first.offset)) return { ...placeLogged(record), loggedAt }
  const since = headers['original_logged_at']
  return {
    topic,
    partition: Number(first.partition),
    offset: Number(first.offset),
    loggedAt: isNumber(since) ? Number(since) : loggedAt,
  }
}

const isNumber = (text: string | undefined): boolean => text !== undefined && /^\d{1,15}$/.test(text)

/**
 * Whether a stage must read a record. It skips records that were retried for another stage, which it has already read.
 */
export const isFor =
  (stage: string) =>
  ({ headers }: LogRecord): boolean =>
    (headers[RETRIED_FOR] ?? stage) === stage

/** Headers that a dead letter adds and a retry removes. */
const OURS = new Set(['stage', 'reason', 'error', 'original_key', FIRST_PARTITION])

/**
 * Where the original record of a dead letter is now, in a topic that is partitioned by its keys: there a record and its
 * letter move together.
 */
export const originalNow = (letter: LogRecord, original: Place): Place =>
  letter.headers[FIRST_PARTITION] === undefined ? original : { ...original, partition: letter.partition }

/** Restores the original record of a dead letter at a place, addressed only to the stage that rejected it. */
export function retriedRecord(
  letter: LogRecord,
  { topic, partition }: Omit<Place, 'offset'>,
  record: Pick<LogRecord, 'key' | 'value'>,
): OutRecord {
  const kept = Object.entries(letter.headers).filter(([name]) => !OURS.has(name))
  return {
    topic,
    partition,
    key: record.key,
    value: record.value,
    headers: { ...Object.fromEntries(kept), [RETRIED_FOR]: letter.headers['stage'] ?? '' },
  }
}

/** How a dead letter was resolved. */
export type RetriedLettersResolution = 'retried' | 'dropped'

/** The record that resolves a letter. It repeats the letter's content, so that readers need no lookup. */
export const resolutionRecord = (letter: LogRecord, how: RetriedLettersResolution): OutRecord => ({
  topic: letter.topic,
  partition: letter.partition,
  key: letter.key,
  value: letter.value,
  headers: { ...letter.headers, resolved: how, resolved_letter: `${letter.partition}:${letter.offset}` },
})

/**
 * The identity of a letter. A repeat has the same identity (a stage that crashes before its commit writes the letter
 * again), and so does the record that resolves it. A retried record that is rejected again has a new one.
 */
export const letterName = ({ headers }: LogRecord): string =>
  ['stage', 'attempts', 'original_topic', 'original_partition', 'original_offset']
    .map((name) => headers[name] ?? '')
    .join(' ')
