/** One record of a source, with the line it starts on: what a refusal names. */
export type SourceRecord =
  | { readonly kind: 'fields'; readonly line: number; readonly fields: Readonly<Record<string, unknown>> }
  | { readonly kind: 'malformed'; readonly line: number; readonly reason: 'malformed_line' | 'line_too_long' }

/** No article of 200,000 characters needs more, however it is escaped; a file without line breaks is stopped here. */
export const MAX_LINE_BYTES = 8 * 1024 * 1024
