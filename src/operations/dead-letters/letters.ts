import type { LogRecord, Log, Place } from '../../ports/log.ts'
import { readDeadLetter, type Letter, letterName, type RetriedLettersResolution } from '../../runtime/dead-letter.ts'

/** A dead letter in the log, and its resolution. */
export interface DeadRecord extends Letter {
  readonly record: LogRecord
  readonly name: string
  /** `null` if the letter is unresolved. */
  readonly settled: RetriedLettersResolution | null
}

/** A snapshot of the dead-letter topics: their end offsets and the resolved letters. */
export interface FoundLetters {
  readonly ends: ReadonlyMap<string, readonly number[]>
  /** By `letterName`. */
  readonly settled: ReadonlyMap<string, RetriedLettersResolution>
}

type LetterLog = Pick<Log, 'ends' | 'read'>

/** Reads the resolutions. Keeps only the names of letters, so that memory use stays low for any number of them. */
export async function look(log: LetterLog, topics: readonly string[]): Promise<FoundLetters> {
  const ends = new Map<string, readonly number[]>()
  for (const topic of topics) ends.set(topic, await log.ends(topic))
  const settled = new Map<string, RetriedLettersResolution>()
  for await (const record of recordsOf(log, ends)) {
    const { resolved } = readDeadLetter(record)
    if (resolved !== null) settled.set(letterName(record), resolved)
  }
  return { ends, settled }
}

/** Every letter up to the end offsets, in partition order; duplicates are skipped. */
export async function* lettersIn(log: LetterLog, { ends, settled }: FoundLetters): AsyncIterable<DeadRecord> {
  const had = new Set<string>()
  for await (const record of recordsOf(log, ends)) {
    const letter = readDeadLetter(record)
    const name = letterName(record)
    if (letter.resolved !== null || had.has(name)) continue
    had.add(name)
    yield { ...letter, record, name, settled: settled.get(name) ?? null }
  }
}

async function* recordsOf(log: LetterLog, ends: FoundLetters['ends']): AsyncIterable<LogRecord> {
  for (const [topic, ofTopic] of ends) {
    for (const [partition, end] of ofTopic.entries()) {
      if (end === 0) continue
      for await (const records of log.read(topic, partition, 0)) {
        for (const record of records) if (record.offset < end) yield record
      }
    }
  }
}

/** The format used by commands: `articles.ingested.dead:0:12`. */
export const placeName = ({ topic, partition, offset }: Place): string => `${topic}:${partition}:${offset}`
