import { emitted, inputsOf } from '../inputs.ts'
import type { ArticleIngested, ArticleScored } from '../../events/articles.ts'
import { scored } from '../../stages/scored/stage.ts'
import { stageDependencies } from '../../wiring/stages.ts'
import type { Wiring } from '../../ports/wiring.ts'

/** One part of the work at a time, as the runtime hands it out. */
const PART = 64

/** Articles as Layer 0 hands them on. */
export async function scoredArticles(
  articles: readonly ArticleIngested[],
  wiring: Wiring,
): Promise<readonly ArticleScored[]> {
  const stage = scored(await stageDependencies(wiring).scored())
  const inputs = inputsOf(articles)
  const events: ArticleScored[] = []
  for (let from = 0; from < inputs.length; from += PART)
    events.push(...emitted(await stage.handle(inputs.slice(from, from + PART))))
  return events
}
