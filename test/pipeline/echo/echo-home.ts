import type { PlatformPolled, StoryEnriched } from '../../../src/events/discourse.ts'
import { articlesClustered, type ArticleClustered } from '../../../src/events/ledger.ts'
import type { Store } from '../../../src/ports/store.ts'
import { A_DAY } from '../../builders/articles.ts'
import { anArticle } from '../../builders/transitioned.ts'
import type { ViewWriter } from '../../builders/views.ts'
import { homes, type ViewsDatabaseAnswer, type ViewsDatabaseHome } from '../views-database.ts'

export interface EchoHome extends ViewsDatabaseHome {
  /** Stories of two articles each, the last of them `hours` before noon. */
  stories(hours: number, ...names: readonly string[]): Promise<void>
  articles(...events: readonly ArticleClustered[]): Promise<void>
  /** Records of `sto_<story>`, in log order; those of one platform differ by event time. */
  received(story: string, ...records: readonly Partial<StoryEnriched>[]): Promise<void>
  polled(...polls: readonly Partial<PlatformPolled>[]): Promise<void>
}

/** Milliseconds since 1970, minutes before noon of `A_DAY`. */
export const minutesAgo = (minutes: number): number => A_DAY - minutes * 60_000

export interface EchoHomeRow {
  readonly story_id: string
  readonly platform: string
  readonly [name: string]: unknown
}

export const rowsIn = ({ body }: ViewsDatabaseAnswer): readonly EchoHomeRow[] => body['results'] as EchoHomeRow[]

/** Story and platform of each row. */
export const keysIn = (answer: ViewsDatabaseAnswer): string[] =>
  rowsIn(answer).map(({ story_id, platform }) => `${story_id.slice(4)} ${platform}`)

/** An API over the database at noon of `A_DAY`; each home is a new namespace with a key. */
export function echoHomes(store: Store, writer: ViewWriter) {
  const aHome = homes(store)
  return async (tier: 'starter' | 'professional' = 'professional'): Promise<EchoHome> => {
    const home = await aHome(tier)
    const { namespace } = home
    const articles: EchoHome['articles'] = (...events) =>
      writer.write(
        articlesClustered,
        events.map((event) => ({ ...event, namespace })),
      )
    return {
      ...home,
      articles,
      stories: (hours, ...names) =>
        articles(
          ...names.flatMap((name) => [anArticle(name, `${name}0`, -hours - 1), anArticle(name, `${name}1`, -hours)]),
        ),
      received: (story, ...records) =>
        writer.enriched(...records.map((record) => ({ ...record, namespace, cluster_id: `sto_${story}` }))),
      polled: (...polls) => writer.polled(...polls.map((poll) => ({ ...poll, namespace }))),
    }
  }
}
