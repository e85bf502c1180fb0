import type { ArticleAnalyzed, ArticleScored } from '../events/articles.ts'
import type { Stage } from '../runtime/shapes.ts'
import { emitted, inputsOf } from './inputs.ts'
import type { OddArticle } from './odd-articles.ts'
import { forgetPeak, processTree } from './processes.ts'
import { costOf } from './rounds.ts'

/** What an odd article costs, all processes together. */
export interface OddFigure {
  readonly article: string
  readonly characters: number
  readonly cpu_ms: number
  /** From the question to the answer. */
  readonly wall_ms: number
  readonly truncated: boolean
  readonly analyzed_chars: number
  readonly entities: number
  /** Highest resident memory while it was read, over that before. */
  readonly peak_growth_bytes: number
}

/** Each odd text alone through Layer 1, in place of the text of `as`. */
export async function benchOdd(
  texts: readonly OddArticle[],
  { as, analyzed }: { readonly as: ArticleScored; readonly analyzed: Stage<ArticleScored, ArticleAnalyzed> },
): Promise<readonly OddFigure[]> {
  const figures: OddFigure[] = []
  for (const { name, text } of texts) figures.push(await odd(name, { ...as, text }, analyzed))
  return figures
}

async function odd(
  name: string,
  article: ArticleScored,
  analyzed: Stage<ArticleScored, ArticleAnalyzed>,
): Promise<OddFigure> {
  const inputs = inputsOf([article])
  const before = processTree(process.pid)
  before.forEach(forgetPeak)
  let given: readonly ArticleAnalyzed[] = []
  let wallMs = 0
  const { own, models } = await costOf(1, async () => {
    const started = performance.now()
    given = emitted(await analyzed.handle(inputs))
    wallMs = performance.now() - started
  })
  const [analysis] = given
  if (analysis === undefined) throw new Error(`Layer 1 refused the odd article "${name}"`)
  return {
    article: name,
    characters: article.text.length,
    cpu_ms: own + models,
    wall_ms: wallMs,
    truncated: analysis.truncated,
    analyzed_chars: analysis.analyzed_chars,
    entities: analysis.entities.length,
    peak_growth_bytes: sum(processTree(process.pid), 'peakBytes') - sum(before, 'residentBytes'),
  }
}

const sum = (uses: ReturnType<typeof processTree>, field: 'peakBytes' | 'residentBytes'): number =>
  uses.reduce((total, use) => total + use[field], 0)
