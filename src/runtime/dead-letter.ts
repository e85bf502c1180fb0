import { inspect } from 'node:util'
import type { Headers, LogRecord, OutRecord, Place } from '../ports/log.ts'

export const deadTopic = (topic: string): string => `${topic}.dead`

export interface Cause {
  readonly stage: string
  readonly reason: string
  readonly cause?: unknown
}

const ERROR_CHARS = 1000

/** A record set aside: its bytes, key and headers untouched, and its story in headers of ours. */
export function deadLetter(record: LogRecord, { stage, reason, cause }: Cause): OutRecord {
  return {
    topic: deadTopic(record.topic),
    key: record.key,
    value: record.value,
    headers: {
      ...record.headers,
      ...storyOf(record, { stage, reason, cause }),
      ...(record.key === null ? {} : { original_key: record.key }),
    },
  }
}

const storyOf = (record: LogRecord, { stage, reason, cause }: Cause): Headers => ({
  stage,
  reason,
  attempts: String(attemptsOf(record) + 1),
  original_topic: record.topic,
  original_partition: String(record.partition),
  original_offset: String(record.offset),
  original_logged_at: String(record.loggedAt),
  error: messageOf(cause).slice(0, ERROR_CHARS),
})

/** Larger keys are no keys of ours. */
const MAX_KEY_CHARACTERS = 1000

/** What is left of a letter that the log does not take for its size: where the record stands, and why it was refused. */
export function deadLetterWithoutValue(record: LogRecord, { stage, reason, cause }: Cause): OutRecord {
  const key = record.key !== null && record.key.length <= MAX_KEY_CHARACTERS ? record.key : null
  const error = [reason, messageOf(cause)].filter((part) => part !== '').join(': ')
  return { topic: deadTopic(record.topic), key, value: null, headers: storyOf(record, { stage, reason: TOO_LARGE, cause: error }) }
}

export const TOO_LARGE = 'too_large'

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
  }
}

function numberOf(text: string | undefined): number {
  const value = Number(text ?? 0)
  return Number.isFinite(value) ? value : 0
}
