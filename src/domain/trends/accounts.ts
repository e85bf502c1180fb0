/** An article, reduced to what identifies its independent source. */
export interface TrendAccount {
  /** Event time, milliseconds since 1970. */
  readonly at: number
  readonly article_id: string
  /** Equal for all reprints of one text. */
  readonly text: string
  /** The publisher family, or the outlet if it has none; `null` if it is unknown. */
  readonly house: string | null
}

/**
 * Number of independent sources among some articles. A reprint counts for the publisher of the earliest copy, all
 * articles of one publisher count once, and a text without a known publisher counts as a source of its own.
 */
export const independentAccounts = (accounts: readonly TrendAccount[]): number => new Set(accountOfEach(accounts)).size

/** The independent source of each article, in the same order. */
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
