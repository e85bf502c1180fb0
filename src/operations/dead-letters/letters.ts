import type { LogRecord, Log, Place } from '../../ports/log.ts'
import { readDeadLetter, type Letter, letterName, type RetriedLettersResolution } from '../../runtime/dead-letter.ts'

/** A dead letter in the log: its record, `letterName` and resolution. */
export interface DeadRecord extends Letter {
  readonly record: LogRecord
  readonly name: string
  /** `null` if the letter is unresolved. */
  readonly resolution: RetriedLettersResolution | null
}

/** A snapshot of the dead-letter topics: their end offsets and the resolved letters. */
export interface FoundLetters {
  readonly ends: ReadonlyMap<string, readonly number[]>
  /** Resolution by `letterName`; unresolved letters are omitted. */
  readonly resolutions: ReadonlyMap<string, RetriedLettersResolution>
}

type LetterLog = Pick<Log, 'ends' | 'read'>

/** Reads the resolutions. Keeps only names and resolutions of resolved letters, not the records. */
export async function readResolutions(log: LetterLog, topics: readonly string[]): Promise<FoundLetters> {
  const ends = new Map<string, readonly number[]>()
  for (const topic of topics) ends.set(topic, await log.ends(topic))
  const resolutions = new Map<string, RetriedLettersResolution>()
  for await (const record of recordsOf(log, ends)) {
    const { resolved } = readDeadLetter(record)
    if (resolved !== null) resolutions.set(letterName(record), resolved)
  }
  return { ends, resolutions }
}

/** Every letter up to the end offsets, in partition order; duplicates are skipped. */
export async function* lettersIn(log: LetterLog, { ends, resolutions }: FoundLetters): AsyncIterable<DeadRecord> {
  const seen = new Set<string>()
  for await (const record of recordsOf(log, ends)) {
    const letter = readDeadLetter(record)
    const name = letterName(record)
    if (letter.resolved !== null || seen.has(name)) continue
    seen.add(name)
    yield { ...letter, record, name, resolution: resolutions.get(name) ?? null }
  }
}

async function* recordsOf(log: LetterLog, ends: FoundLetters['ends']): AsyncIterable<LogRecord> {
  for (const [topic, topicEnds] of ends) {
    for (const [partition, end] of topicEnds.entries()) {
      if (end === 0) continue
      for await (const records of log.read(topic, partition, 0)) {
        for (const record of records) if (record.offset < end) yield record
      }
    }
  }
}

/** The format used by commands: `articles.ingested.dead:0:12`. */
export const positionName = ({ topic, partition, offset }: Place): string => `${topic}:${partition}:${offset}`
