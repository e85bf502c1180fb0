import { loadTokenizer } from '../../adapters/onnx/vocabulary.ts'
import { PlainCodec } from '../../adapters/plain-codec.ts'
import { benchStages, type StageFigure } from '../stage-bench.ts'
import { fetchModel } from '../../engines/fetch.ts'
import { analyzed } from '../../stages/analyzed/stage.ts'
import { clustered } from '../../stages/clustered/stage.ts'
import { scored } from '../../stages/scored/stage.ts'
import { stageDependencies } from '../../wiring/stages.ts'
import type { BenchResult, BenchPart, BenchSetting } from './part.ts'

export const stages: BenchPart = { says: 'CPU per article of each stage, run alone', alone: measure }

async function measure({ wiring, articles }: BenchSetting): Promise<BenchResult> {
  const pieces = await piecesAnArticle({ wiring, articles })
  const dependencies = stageDependencies(wiring)
  const figures = await benchStages(articles, {
    scored: scored(await dependencies.scored()),
    analyzed: analyzed(await dependencies.analyzed()),
    clustered: clustered(await dependencies.clustered()),
    codec: new PlainCodec(),
  })
  return { figures: { word_pieces_an_article: pieces, stages: figures }, lines: table(pieces, figures) }
}

export async function piecesAnArticle({ wiring: { config, out }, articles }: BenchSetting): Promise<number> {
  const { tokenizer } = await fetchModel(config.cache, (line) => out.progress(line))
  const words = await loadTokenizer(tokenizer)
  const counts = articles.map(
    ({ title, text }) => words.encode(`${title ?? ''} ${text}`, { add_special_tokens: false }).ids.length,
  )
  return counts.reduce((total, count) => total + count, 0) / articles.length
}

function table(pieces: number, figures: readonly StageFigure[]): readonly string[] {
  const own = figures.reduce((sum, { own_ms }) => sum + own_ms, 0)
  const models = figures.reduce((sum, { models_ms }) => sum + models_ms, 0)
  const line = (name: string, ownMs: number, modelsMs: number) =>
    `  ${name.padEnd(38)} ${ownMs.toFixed(2).padStart(7)} ${modelsMs.toFixed(2).padStart(9)}`
  return [
    `  word pieces an article ${pieces.toFixed(0)}`,
    `  ${'CPU ms an article'.padEnd(38)}     own    models`,
    ...figures.map((s) => line(s.stage, s.own_ms, s.models_ms)),
    `${line('all', own, models)}   own / models ${(own / models).toFixed(3)}`,
  ]
}
