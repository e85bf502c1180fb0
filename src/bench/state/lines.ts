/** The output of `--json`. A figure is `null` if it was not measured. */
export interface StateFigures {
  /** The base articles. */
  readonly made_of: string
  readonly articles: number
  /** With an article in the window of the last one. */
  readonly live_stories: number
  /** Peak of the process that decides. */
  readonly rss_mb: number
  /** CPU milliseconds of the last decisions, up to 10,000 of them. */
  readonly decision_ms_median: number
  /** The same beside a quarter of the articles, and how much longer a decision beside all takes, measured in turn. */
  readonly decision_ms_quarter: number | null
  readonly decision_growth: number | null
  /** Deciding, changing the state, encoding and writing the changelog, on one core. */
  readonly articles_per_s: number
  /** The share of sampled decisions with the same story as an exhaustive search. */
  readonly same_choice: number
  readonly samples: number
  /** Encoded changelog records, keys and values. */
  readonly bytes_per_article: number
  /** Seconds from the start of a process to its first decision. */
  readonly restart_s: number | null
  readonly cold_restart_s: number | null
  readonly standby_s: number | null
  /** Why a figure of a restart is `null`. */
  readonly not_measured: Readonly<Record<string, string>>
}

const number = (value: number | null, digits = 0): string =>
  (value === null
    ? '-'
    : value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
  ).padStart(9)

/** The figures for people, each beside its limit at 1,000,000 articles. */
export function stateLines(figures: StateFigures): readonly string[] {
  const { not_measured } = figures
  return [
    `  generated from ${figures.made_of}; limits at 1,000,000 articles`,
    `  articles             ${number(figures.articles)}`,
    `  live stories         ${number(figures.live_stories)}           at least 250,000`,
    `  peak memory          ${number(figures.rss_mb)} MB        at most 4,096`,
    `  decision, median     ${number(figures.decision_ms_median, 2)} ms CPU    at most 4; ${growth(figures)}`,
    `  articles per second  ${number(figures.articles_per_s)}           at least 200, on one core`,
    `  same choice          ${number(100 * figures.same_choice, 2)} %         at least 99.5, as an exhaustive search; ${figures.samples} samples`,
    `  changelog            ${number(figures.bytes_per_article)} bytes an article`,
    `  restart              ${number(figures.restart_s, 1)} s         at most 15${why(not_measured['restart_s'])}`,
    `  without local disk   ${number(figures.cold_restart_s, 1)} s         at most 120${why(not_measured['cold_restart_s'])}`,
    `  standby              ${number(figures.standby_s, 1)} s         at most 10${why(not_measured['standby_s'])}`,
  ]
}

const growth = ({ decision_growth }: StateFigures): string =>
  `${decision_growth?.toFixed(2) ?? '-'} times that with a quarter of the articles, at most 1.3`

const why = (reason: string | undefined): string => (reason === undefined ? '' : `; not measured: ${reason}`)
