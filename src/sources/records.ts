/** One record of a source, with the line it starts on: what a refusal names. */
export type SourceRecord =
  | {
      readonly kind: 'fields'
      readonly line: number
      readonly fields: Readonly<Record<string, unknown>>
      /** Helps to find it where lines are not seen, as in a feed. */
      readonly title?: string
    }
  | {
      readonly kind: 'malformed'
      readonly line: number
      /** `header_invalid`: nothing of the file can be read. */
      readonly reason: 'malformed_line' | 'line_too_long' | 'header_invalid'
      /** What is wrong, for a person. */
      readonly detail?: string
    }

/** No article of 200,000 characters needs more, however it is escaped; a file without line breaks is stopped here. */
export const MAX_LINE_BYTES = 8 * 1024 * 1024
