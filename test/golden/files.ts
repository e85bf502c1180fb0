import type { ArchivedRecord } from '../../src/ports/restorer.ts'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { recordsOfFile } from '../../src/operations/archive/record.ts'
import { unframed } from '../../src/adapters/wire-format.ts'
import { projectPath } from '../../src/config/project-path.ts'

/** A version of a topic's schema, and where the log that was written in it lies. */
export interface Golden {
  readonly topic: string
  /** From 1; it stands for the schema's id in the bytes. */
  readonly version: number
  readonly schema: string
  readonly path: string
}

const FOLDER = 'test/golden/logs'

/** Every version that was ever released. */
export const released: readonly Golden[] = readdirSync(projectPath('schemas/history')).flatMap((topic) =>
  readdirSync(projectPath(join('schemas/history', topic)))
    .map((file) => Number.parseInt(file, 10))
    .sort((a, b) => a - b)
    .map((version) => ({
      topic,
      version,
      schema: readFileSync(projectPath(`schemas/history/${topic}/${version}.avsc`), 'utf8'),
      path: projectPath(`${FOLDER}/${topic}/${version}.avro`),
    })),
)

export const isWritten = ({ path }: Golden): boolean => existsSync(path)

export const recordsIn = ({ path }: Golden): readonly ArchivedRecord[] => [...recordsOfFile(readFileSync(path))].flat()

/** An event's Avro without its frame. */
export function avroIn({ value }: ArchivedRecord): Buffer {
  const parts = value === null ? null : unframed(value)
  if (parts === null) throw new Error('a golden record is a framed event')
  return parts.avro
}
