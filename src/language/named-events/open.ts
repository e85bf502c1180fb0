import { readFileSync } from 'node:fs'
import { projectPath } from '../../config/project-path.ts'
import { type EventTable, parseEventTable } from './event-table.ts'

let opened: EventTable | undefined

const read = (file: string): string => readFileSync(projectPath(`models/events/${file}`), 'utf8')

/** The committed table of named events; read on first use, some 5 ms. */
export const openEventTable = (): EventTable => (opened ??= parseEventTable(read('events.tsv'), read('olympics.tsv')))
