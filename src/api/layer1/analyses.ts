import { LRUCache } from 'lru-cache'
import { articlesAnalyzed } from '../../events/articles.ts'
import { storedAnalyses, type StoredAnalysis } from '../../views/entities/stored-analyses.ts'
import { append } from '../http/append.ts'
import { timeouts } from '../http/engine-deadline.ts'
import type { Dependencies } from '../http/dependencies.ts'
import { AdmissionQueue } from '../http/admission.ts'
import type { CallContext } from '../http/route.ts'
import { directAnalysis } from './direct-analysis.ts'
import type { ArticleToAnalyze } from './given-article.ts'
import { asStored, encodedSentences, layer1Result, type Layer1Result } from './result.ts'

/** The number of analyses that the models run in parallel, and a queue that can be completed within `TIMEOUT_MS`. */
const LIMITS = { running: 4, runningPerLane: 3, waiting: 100 }
/** Includes the time in the queue. An analysis that takes longer continues, and later requests find its result. */
const TIMEOUT_MS = 60_000

/**
 * Analyzes articles. Returns the results in the same order: `null` for mark-up without text, an error for a failed
 * analysis.
 */
export type Analyses = (
  articles: readonly ArticleToAnalyze[],
  context: Pick<CallContext, 'caller' | 'now'>,
) => Promise<readonly (Layer1Result | null | Error)[]>

/**
 * Layer 1 as a synchronous call. A result in the view is returned. Otherwise the article is analyzed, appended to the
 * log and kept in memory until the view has it; concurrent callers share the analysis. If two instances analyze the
 * same article, they append the same event, which counts once.
 */
export function analyses(dependencies: Dependencies): Analyses {
  const { store, clock } = dependencies
  const admission = new AdmissionQueue(LIMITS)
  const withTimeout = timeouts(clock)
  const running = new Map<string, Promise<Layer1Result | null>>()
  /** Results that may not be in the view yet. */
  const recent = new LRUCache<string, StoredAnalysis>({ max: 1_000 })

  const make = (
    key: string,
    article: ArticleToAnalyze,
    { caller: { namespace }, now }: Pick<CallContext, 'caller' | 'now'>,
  ) => {
    const work = admission
      .run(namespace, async () => {
        const began = performance.now()
        const made = await analyseAndAppend(article, { namespace, now }, dependencies)
        if (made === null) return null
        recent.set(key, made.stored)
        const sentences = encodedSentences(made.event, made.sentenceVectors)
        return layer1Result(made.stored, { sentences, processing_time_ms: tenths(performance.now() - began) })
      })
      .finally(() => running.delete(key))
    running.set(key, work)
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
      articles.map(async (article) => {
        const key = `${namespace}\n${article.article_id}`
        const stored = known.get(article.article_id) ?? recent.get(key)
        if (stored !== undefined) return layer1Result(stored, null)
        return withTimeout(running.get(key) ?? make(key, article, context), 'models', TIMEOUT_MS)
      }),
    )
    return results.map((each) => (each.status === 'fulfilled' ? each.value : asError(each.reason)))
  }
}

const asError = (cause: unknown): Error => (cause instanceof Error ? cause : new Error(String(cause)))

/** Resolves when the log has stored the analysis. Callers get a response only after that. */
async function analyseAndAppend(
  article: ArticleToAnalyze,
  arrival: { readonly namespace: string; readonly now: number },
  dependencies: Dependencies,
) {
  const { reading, credibility, genres } = dependencies
  const made = await directAnalysis(article, arrival, { reading: await reading(), credibility, genres })
  if (made === null) return null
  const loggedAt = await append(articlesAnalyzed, [made.event], dependencies)
  return { ...made, stored: asStored(made.event, loggedAt) }
}

/** Milliseconds with one decimal, at least 0.1, because 0 means that the result was already known. */
const tenths = (ms: number): number => Math.max(0.1, Math.round(ms * 10) / 10)
