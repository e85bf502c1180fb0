/** An article, as far as it matters whose account it gives. */
export interface TrendAccount {
  /** Event time, milliseconds since 1970. */
  readonly at: number
  readonly article_id: string
  /** The same for all re-prints of one text. */
  readonly text: string
  /** Family of publishers, else the outlet; `null` when it is unknown. */
  readonly house: string | null
}

/**
 * How many independent accounts some articles give: re-prints of a text are their first one's, what one house publishes
 * is one, an article of no known house stands for its text.
 */
export const independentAccounts = (accounts: readonly TrendAccount[]): number => new Set(accountOfEach(accounts)).size

/** Whose account each of them gives, in their order. */
export function accountOfEach(accounts: readonly TrendAccount[]): readonly string[] {
  const firsts = new Map<string, TrendAccount>()
  for (const one of accounts) {
    const first = firsts.get(one.text)
    if (first === undefined || precedes(one, first)) firsts.set(one.text, one)
  }
  return accounts.map(({ text }) => {
    const house = firsts.get(text)?.house ?? null
    return house === null ? `text ${text}` : `house ${house}`
  })
}

const precedes = (one: TrendAccount, other: TrendAccount): boolean =>
  one.at < other.at || (one.at === other.at && one.article_id < other.article_id)
