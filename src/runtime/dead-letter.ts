import { inspect } from 'node:util'
import type { LogRecord, OutRecord, Place } from '../ports/log.ts'
import { firstLogged, resolutionOf, type RetriedLettersResolution } from './retried-letters.ts'

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
