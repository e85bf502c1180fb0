import { readFileSync } from 'node:fs'
import type { ArticleAnalyzed, ArticleScored } from '../events/articles.ts'
import type { Stage } from '../runtime/shapes.ts'
import { emitted, inputsOf } from './inputs.ts'
import { resetPeak, processTree, sumOf } from './processes.ts'
import { costOf, timed } from './rounds.ts'
import { projectPath } from '../config/project-path.ts'

type OddFigure = Awaited<ReturnType<typeof odd>>

/** Runs each odd text alone through Layer 1, in place of the text of `base`. */
export async function benchOdd(
  texts: readonly OddArticle[],
  { base, analyzed }: { readonly base: ArticleScored; readonly analyzed: Stage<ArticleScored, ArticleAnalyzed> },
) {
  const figures: OddFigure[] = []
  for (const { name, text } of texts) figures.push(await odd(name, { ...base, text }, analyzed))
  return figures
}

/** The cost of an odd article, over all processes. */
async function odd(name: string, article: ArticleScored, analyzed: Stage<ArticleScored, ArticleAnalyzed>) {
  const inputs = inputsOf([article])
  const before = processTree(process.pid)
  before.forEach(resetPeak)
  const { own, models, result: read } = await costOf(1, () => timed(async () => emitted(await analyzed.handle(inputs))))
  const [analysis] = read.result
  if (analysis === undefined) throw new Error(`Layer 1 refused the odd article "${name}"`)
  return {
    article: name,
    characters: article.text.length,
    cpu_ms: own + models,
    /** From the call to the result. */
    wall_ms: read.ms,
    truncated: analysis.truncated,
    analyzed_chars: analysis.analyzed_chars,
    entities: analysis.entities.length,
    /** Peak resident memory during the analysis, minus the resident memory before it. */
    peak_growth_bytes: sumOf(processTree(process.pid), 'peakBytes') - sumOf(before, 'residentBytes'),
  }
}

const MB = 1024 * 1024

export const oddTable = (figures: readonly OddFigure[]): readonly string[] => [
  '  odd articles            CPU ms   wall ms   truncated   analyzed characters   names   memory +MB',
  ...figures.map((f) =>
    [
      `    ${f.article.padEnd(19)}`,
      f.cpu_ms.toFixed(0).padStart(6),
      f.wall_ms.toFixed(0).padStart(9),
      (f.truncated ? 'yes' : 'no').padStart(11),
      `${f.analyzed_chars} of ${f.characters}`.padStart(21),
      String(f.entities).padStart(7),
      (f.peak_growth_bytes / MB).toFixed(0).padStart(12),
    ].join(' '),
  ),
]

/** The longest text that intake accepts, in characters. */
const MAX_CHARS = 200_000
const NAMES = 5_000

interface OddArticle {
  readonly name: string
  readonly text: string
}

/**
 * Extreme articles: the maximum length, only names, no sentence end, and a language that the models were not trained
 * on.
 */
export const oddArticles = (texts: readonly string[]): readonly OddArticle[] => [
  { name: '200,000 characters', text: toMaxLength(texts.join('\n\n')) },
  { name: '5,000 names', text: nothingButNames() },
  { name: 'no sentence end', text: toMaxLength(texts.join(' ').replaceAll(/[^\p{L}\p{N}]+/gu, ' ')) },
  { name: 'Chinese', text: toMaxLength(CHINESE) },
]

const toMaxLength = (text: string): string => text.repeat(Math.ceil(MAX_CHARS / text.length)).slice(0, MAX_CHARS)

/**
 * Five thousand persons, each mentioned once, four per sentence. A name combines two first names, so that it matches no
 * real person.
 */
function nothingButNames(): string {
  const first = readFileSync(projectPath('models/names/first-names.tsv'), 'utf8')
    .split('\n')
    .map((line) => line.split('\t')[0] ?? '')
    .filter(Boolean)
    .map((name) => name.charAt(0).toUpperCase() + name.slice(1))
  const named = (i: number): string => `${first[i] ?? ''} ${first[first.length - 1 - i] ?? ''}`
  const sentence = (from: number): string =>
    `${named(from)}, ${named(from + 1)}, ${named(from + 2)} and ${named(from + 3)} signed the letter.`
  return Array.from({ length: NAMES / 4 }, (_, i) => sentence(4 * i)).join(' ')
}

const CHINESE =
  '市议会星期二投票决定，将老港大桥关闭两年进行维修。工程师去年秋天检查时发现，十二座钢拱中有四座出现裂缝。市长说：“安全第一，我们没有别的选择。”' +
  '维修费用估计为三亿元，其中一半由中央政府承担。附近的商店老板担心客人会减少，而居民则希望新的人行道能早日完工。\n'
