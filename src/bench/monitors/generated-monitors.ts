import type { ArticleIngested } from '../../events/articles.ts'
import { NO_CONDITIONS, type MonitorChanged, type MonitorConditions } from '../../events/monitors.ts'
import { SHARED } from '../../domain/intake/articles.ts'

const CATEGORIES = ['technology', 'politics', 'finance', 'geopolitics', 'health']
const COUNTRIES = ['US', 'GB', 'FR', 'CN', 'RU', 'IR', 'IL', 'MX']

/** Kinds of conditions, each from the title of an article; a story that meets them goes on meeting them as it grows. */
const KINDS: readonly ((title: TitleParts, n: number) => Partial<MonitorConditions>)[] = [
  ({ longest }) => ({ query: longest }),
  ({ names }) => ({ entity_names: names }),
  ({ longest }, n) => ({ query: longest, min_origins: 2 + (n % 2) }),
  ({ names }, n) => ({ entity_names: names, min_origins: 2 + (n % 3) }),
  ({ pair }) => ({ query: `"${pair}"` }),
  ({ longest }, n) => ({ query: `${longest}*`, categories: [CATEGORIES[n % CATEGORIES.length] ?? ''] }),
  (_, n) => ({ places: [COUNTRIES[n % COUNTRIES.length] ?? ''], min_origins: 3 }),
  ({ longest, source }) => ({ query: longest, sources: [source] }),
]

interface TitleParts {
  readonly longest: string
  /** Two words that follow each other. */
  readonly pair: string
  /** Capitalised words, lower case: names, perhaps. */
  readonly names: readonly string[]
  readonly source: string
}

/** Monitors whose conditions are taken from articles, so that they match some stories and not all. */
export function generatedMonitors(articles: readonly ArticleIngested[], count: number): readonly MonitorChanged[] {
  const step = Math.max(1, Math.floor(articles.length / count))
  return Array.from({ length: count }, (_, n): MonitorChanged => {
    const kind = KINDS[n % KINDS.length]
    const conditions = { ...NO_CONDITIONS, ...kind?.(partsOf(articles[(n * step) % articles.length]), n) }
    return {
      ...{ monitor_id: monitorId(n), namespace: SHARED, owner: 'bench', key_id: 'bench', name: `Bench ${n}` },
      ...{
        conditions,
        conditions_version: 1,
        quiet_hours: null,
        digest_at: null,
        time_zone: 'UTC',
        max_per_day: 1_000,
      },
      ...{ channels: [], feed_token_hash: null, status: 'active', created_at: 0, updated_at: 0 },
    }
  })
}

const monitorId = (n: number): string => `mon_bench${n.toString().padStart(11, '0')}`

function partsOf(article: ArticleIngested | undefined): TitleParts {
  const words = (article?.title ?? 'News of the day').match(/[\p{L}\p{N}]+/gu) ?? ['news']
  const longest = words.toSorted((a, b) => b.length - a.length)[0] ?? 'news'
  const at = Math.max(0, words.indexOf(longest) - 1)
  return {
    longest,
    pair: words.slice(at, at + 2).join(' '),
    names: words.filter((word) => /^\p{Lu}/u.test(word)).map((word) => word.toLowerCase()),
    source: article?.source?.toLowerCase() ?? 'unknown',
  }
}
