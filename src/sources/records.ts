/** One record of a source, with its first line number for error messages. */
export type SourceRecord =
  | {
      readonly kind: 'fields'
      readonly line: number
      readonly fields: Readonly<Record<string, unknown>>
      /** Helps to find the record if its source has no visible lines, as in a feed. */
      readonly title?: string
    }
  | {
      readonly kind: 'malformed'
      readonly line: number
      /** `header_invalid`: nothing in the file can be read. */
      readonly reason: 'malformed_line' | 'line_too_long' | 'header_invalid'
      /** Describes the error, for people. */
      readonly detail?: string
    }

/** Enough for an article of 200,000 characters, however it is escaped. Limits reading of files without line breaks. */
export const MAX_LINE_BYTES = 8 * 1024 * 1024
