import { articlesAnalyzed, type ArticleAnalyzed } from '../../events/articles.ts'
import { storedAnalyses, type StoredAnalysis } from '../../views/entities/stored-analyses.ts'
import { patience } from '../http/engine-deadline.ts'
import type { Dependencies } from '../http/dependencies.ts'
import { Room } from '../http/admission.ts'
import type { CallContext } from '../http/route.ts'
import { directAnalysis } from './direct-analysis.ts'
import type { ArticleToAnalyze } from './given-article.ts'
import { asStored, encodedSentences, layer1Result, type Layer1Result } from './result.ts'

/** As many as the models take at once, and as many more as are done within our patience. */
const BOUNDS = { inHand: 4, inHandOfOne: 3, waiting: 100 }
/** Waiting included; an analysis that takes longer goes on, and is known to the next one who asks. */
const PATIENCE_MS = 60_000
/** Results kept in the process: the moments until the view has them. */
const REMEMBERED = 1_000

/** The results of articles, in their order. Null: there is no text in the mark-up; an error: that one could not be analysed. */
export type Analyses = (
  articles: readonly ArticleToAnalyze[],
  context: Pick<CallContext, 'caller' | 'now'>,
) => Promise<readonly (Layer1Result | null | Error)[]>

type Layer1Answer = Layer1Result | null

/**
 * Layer 1 while the caller waits. What the view has is the answer. What it has not is analysed now, appended to the log
 * and kept here until the view has it; who asks meanwhile shares the one analysis. Two instances may both make it: it
 * is the same event, which counts once.
 */
export function analyses(dependencies: Dependencies): Analyses {
  const { store, clock } = dependencies
  const room = new Room(BOUNDS)
  const inTime = patience(clock)
  const making = new Map<string, Promise<Layer1Answer>>()
  const recent = new Map<string, StoredAnalysis>()

  const remember = (key: string, stored: StoredAnalysis): void => {
    recent.set(key, stored)
    for (const oldest of recent.keys()) {
      if (recent.size <= REMEMBERED) break
      recent.delete(oldest)
    }
  }

  const make = (
    key: string,
    article: ArticleToAnalyze,
    { caller: { namespace }, now }: Pick<CallContext, 'caller' | 'now'>,
  ) => {
    const work = room
      .run(namespace, async () => {
        const began = performance.now()
        const made = await analysedNow(article, { namespace, now }, dependencies)
        if (made === null) return null
        remember(key, made.stored)
        const sentences = encodedSentences(made.event)
        return layer1Result(made.stored, { sentences, processing_time_ms: tenths(performance.now() - began) })
      })
      .finally(() => making.delete(key))
    making.set(key, work)
    return work
  }

  return async (articles, context) => {
    const { namespace } = context.caller
    if (articles.length === 0) return []
    const known = await storedAnalyses(
      store,
      namespace,
      articles.map(({ article_id }) => article_id),
    )
    const results = await Promise.allSettled(
      articles.map(async (article): Promise<Layer1Answer> => {
        const key = `${namespace}\n${article.article_id}`
        const stored = known.get(article.article_id) ?? recent.get(key)
        if (stored !== undefined) return layer1Result(stored, null)
        return inTime(making.get(key) ?? make(key, article, context), 'models', PATIENCE_MS)
      }),
    )
    return results.map((each) => (each.status === 'fulfilled' ? each.value : asError(each.reason)))
  }
}

const asError = (cause: unknown): Error => (cause instanceof Error ? cause : new Error(String(cause)))

interface MadeNow {
  readonly event: ArticleAnalyzed
  readonly stored: StoredAnalysis
}

/** Resolves when the log has it: only then may a caller get an answer. */
async function analysedNow(
  article: ArticleToAnalyze,
  arrival: { readonly namespace: string; readonly now: number },
  { reading, credibility, genres, log, codec }: Dependencies,
): Promise<MadeNow | null> {
  const event = await directAnalysis(article, arrival, { reading: await reading(), credibility, genres })
  if (event === null) return null
  const value = await codec.encode(articlesAnalyzed, event)
  const loggedAt = await log.produce([{ topic: articlesAnalyzed.name, key: articlesAnalyzed.key(event), value }])
  return { event, stored: asStored(event, loggedAt) }
}

/** In milliseconds, and never 0, which says that the result was known. */
const tenths = (ms: number): number => Math.max(0.1, Math.round(ms * 10) / 10)
