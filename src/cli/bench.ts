import type { Command } from 'commander'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadTokenizer } from '../adapters/onnx/mini-lm.ts'
import { benchStages, type StageFigure } from '../bench/stage-bench.ts'
import { benchWhole, type WholeFigure } from '../bench/whole-bench.ts'
import type { ArticleIngested } from '../events/articles.ts'
import { intake } from '../events/intake-rules.ts'
import { fetchModel } from '../engines/fetch.ts'
import { projectPath } from '../project-path.ts'
import { ingested } from '../sources/ingested.ts'
import { jsonlRecords } from '../sources/jsonl.ts'
import { openSource } from '../sources/open-source.ts'
import { analyzed } from '../stages/analyzed/stage.ts'
import { clustered } from '../stages/clustered/stage.ts'
import { scored } from '../stages/scored/stage.ts'
import { PlainCodec } from '../adapters/plain-codec.ts'
import { stageNeeds } from './stage-parts.ts'
import { thisCli } from './up-service.ts'
import type { Wiring } from './wiring.ts'

interface Options {
  readonly articles: string
  readonly file: string
  readonly json?: true
}

export const benchCommand = (program: Command, wiring: Wiring): void => {
  program
    .command('bench')
    .description(
      'CPU of every stage an article, articles and word pieces a second of the whole, peak memory of each process',
    )
    .option('--file <jsonl>', 'the articles to measure with', projectPath('samples/ecbplus.jsonl.gz'))
    .option('--articles <n>', 'at most so many of them', '300')
    .option('--json', 'one JSON object')
    .action(async (options: Options) => await bench(wiring, options))
}

async function bench(wiring: Wiring, { file, articles, json }: Options): Promise<void> {
  const chosen = await articlesOf(file, Number(articles))
  const pieces = await piecesAnArticle(wiring, chosen)

  wiring.out.progress(`each stage alone, ${chosen.length} articles of ${Math.round(pieces)} word pieces ...`)
  const needs = stageNeeds(wiring)
  const stages = await benchStages(chosen, {
    scored: scored(await needs.scored()),
    analyzed: analyzed(await needs.analyzed()),
    clustered: clustered(await needs.clustered()),
    codec: new PlainCodec(),
  })
  await wiring.close()

  wiring.out.progress('the whole service ...')
  const whole = await inItsOwnHome(wiring, chosen)
  if (json) wiring.out.json({ word_pieces_an_article: pieces, stages, whole })
  else table(pieces, stages, whole).forEach((line) => wiring.out.line(line))
}

async function piecesAnArticle({ config, out }: Wiring, articles: readonly ArticleIngested[]): Promise<number> {
  const { tokenizer } = await fetchModel(config.cache, (line) => out.progress(line))
  const words = await loadTokenizer(tokenizer)
  const counts = articles.map(
    ({ title, text }) => words.encode(`${title ?? ''} ${text}`, { add_special_tokens: false }).ids.length,
  )
  return counts.reduce((total, count) => total + count, 0) / articles.length
}

/** The first articles of a file that intake accepts. */
async function articlesOf(file: string, most: number): Promise<readonly ArticleIngested[]> {
  const found: ArticleIngested[] = []
  for await (const record of jsonlRecords((await openSource(file, process.stdin)).bytes)) {
    if (found.length >= most) break
    const given = record.kind === 'fields' ? intake(record.fields) : null
    if (given?.kind !== 'article') continue
    found.push(ingested(given.fields, { namespace: 'bench', producer: 'bench' }).event)
  }
  return found
}

async function inItsOwnHome(
  { config, environment }: Wiring,
  articles: readonly ArticleIngested[],
): Promise<WholeFigure> {
  const home = await mkdtemp(join(tmpdir(), 'story-bench-'))
  try {
    const file = join(home, 'articles.jsonl')
    const dated = articles.map(({ url, title, source, published_date, text }) => ({
      url,
      title,
      source,
      text,
      ...(published_date !== null && { published_date: new Date(published_date).toISOString() }),
    }))
    await writeFile(file, dated.map((article) => JSON.stringify(article)).join('\n'))
    const { command, args } = thisCli(environment)
    const own = { ...environment, STORY_HOME: home, STORY_CACHE: config.cache, LOG_LEVEL: 'warn' }
    return await benchWhole({ command: [command, ...args], environment: own, file })
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}

const MB = 1024 * 1024

function table(pieces: number, stages: readonly StageFigure[], whole: WholeFigure): readonly string[] {
  const own = stages.reduce((sum, { own_ms }) => sum + own_ms, 0)
  const encoder = stages.reduce((sum, { encoder_ms }) => sum + encoder_ms, 0)
  return [
    `word pieces an article           ${pieces.toFixed(0)}`,
    '',
    'CPU ms an article, each stage alone          own   encoder',
    ...stages.map(
      (s) => `  ${s.stage.padEnd(38)} ${s.own_ms.toFixed(2).padStart(7)} ${s.encoder_ms.toFixed(2).padStart(9)}`,
    ),
    `  ${'all'.padEnd(38)} ${own.toFixed(2).padStart(7)} ${encoder.toFixed(2).padStart(9)}   own / encoder ${(own / encoder).toFixed(3)}`,
    '',
    `the whole service: ready after   ${whole.seconds_until_ready.toFixed(1)} s`,
    `articles a second                ${whole.articles_a_second.toFixed(1)}   (${whole.accepted} in ${whole.seconds.toFixed(1)} s, until readable)`,
    `word pieces a second             ${(whole.articles_a_second * pieces).toFixed(0)}`,
    'process         CPU ms an article   peak memory MB',
    ...whole.processes.map(
      (p) =>
        `  ${`${p.role} x${p.processes}`.padEnd(16)} ${p.cpu_ms_an_article.toFixed(1).padStart(12)} ${(p.peak_bytes / MB).toFixed(0).padStart(16)}`,
    ),
    `  ${'all'.padEnd(29)} ${(whole.peak_bytes / MB).toFixed(0).padStart(16)}`,
  ]
}
