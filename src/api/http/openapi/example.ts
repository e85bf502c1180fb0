/** One call and what came of it, as it really came; long lists are shortened. Held to the schemas by a test. */
export interface DocExample {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number | boolean>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly answer?: unknown
  /** In place of `answer` where there are several kinds, by the kind. */
  readonly answers?: Readonly<Record<string, unknown>>
}
