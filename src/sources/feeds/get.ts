export interface FetchedFeed {
  /** Where the redirects ended. */
  readonly url: string
  readonly status: number
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** One GET; throws when there is no answer, or when the address is one we do not go to. */
export type Get = (url: string, headers: Readonly<Record<string, string>>) => Promise<FetchedFeed>
