import { isoOrNull } from '../keys/key-lines.ts'
import { placeName, type DeadRecord } from './letters.ts'

/** A letter as the commands show it; moments in ISO 8601. */
export const shown = ({ record, stage, reason, attempts, original, loggedAt, settled }: DeadRecord) => ({
  id: placeName(record),
  stage,
  reason,
  attempts,
  error: record.headers['error'] ?? '',
  key: record.key,
  /** Null: it was too large to be set aside with its bytes. */
  bytes: record.value?.length ?? null,
  set_aside_at: isoOrNull(record.loggedAt),
  original: { ...original, logged_at: isoOrNull(loggedAt) },
  settled,
})

export type ShownLetter = ReturnType<typeof shown>

export const lineOf = ({ id, stage, reason, attempts, set_aside_at, settled, error }: ShownLetter): string =>
  [
    id.padEnd(30),
    stage.padEnd(12),
    reason.padEnd(20),
    String(attempts).padStart(2),
    set_aside_at ?? '',
    ...(settled === null ? [] : [settled]),
    oneLine(error),
  ]
    .join('  ')
    .trimEnd()

const LINE_CHARS = 80

/** Whatever an error says, it stays on its line and moves no cursor. */
const oneLine = (text: string): string => text.replace(/[\s\p{C}]+/gu, ' ').slice(0, LINE_CHARS)
