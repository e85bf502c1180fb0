import { MAX_FIELD_CHARACTERS } from '../../domain/intake/articles.ts'
import { shortLine } from '../../language/plain-text.ts'

/** Cut if it is longer than the field: an event that is too large for the log would be written again for ever. */
export const boundedLine = (line: string | null, field: 'title' | 'author' | 'source'): string | null =>
  line !== null && line.length > MAX_FIELD_CHARACTERS[field] ? shortLine(line) : line
