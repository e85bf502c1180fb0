import type { LogRecord } from '../../src/ports/log.ts'
import { placeName } from './reading.ts'
import type { Simulation } from './simulation.ts'

/** A dead letter as a check sees it. */
export interface SimulationLetter {
  readonly stage: string
  readonly reason: string
  /** Of the record, by name. */
  readonly original: string
  readonly record: LogRecord
}

/** Those of all topics, by stage and place of the record. */
export function lettersOf(world: Simulation): ReadonlyMap<string, readonly SimulationLetter[]> {
  const letters = new Map<string, SimulationLetter[]>()
  for (const topic of world.broker.names().filter((name) => name.endsWith('.dead'))) {
    for (const record of world.broker.records(topic)) {
      const letter = letterOf(record)
      const key = letterKey(letter.stage, letter.original)
      letters.set(key, [...(letters.get(key) ?? []), letter])
    }
  }
  return letters
}

export const letterKey = (stage: string, original: string): string => `${stage}: ${original}`

function letterOf(record: LogRecord): SimulationLetter {
  const { stage = '', reason = '', original_topic = '', original_partition, original_offset } = record.headers
  const place = { topic: original_topic, partition: Number(original_partition), offset: Number(original_offset) }
  return { stage, reason, original: placeName(place), record }
}
