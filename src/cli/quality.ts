import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Option, type Command } from 'commander'
import { projectPath } from '../config/project-path.ts'
import type { Figure } from '../domain/quality/figures.ts'
import { judgedPairs } from '../quality/judged-pairs.ts'
import { BadLine, textOf } from '../quality/labelled-file.ts'
import { checkCommand, dataOption } from '../quality/check.ts'
import {
  type QualityMeasuresKind,
  KINDS,
  type QualityResult,
  MEASURES,
  pairFigures,
  subjectFigures,
  threadFigures,
} from '../quality/measures.ts'
import { record } from '../quality/record.ts'
import { RECORD } from '../wiring/published-quality.ts'
import { VARIANTS, type Variant } from '../quality/labelled-articles.ts'
import type { Wiring } from '../ports/wiring.ts'

/** The labelled sets in the data folder, which need not exist, and those of the project. */
const SETS: readonly (readonly [kind: QualityMeasuresKind | OfArticles, set: string, variant?: Variant])[] = [
  ['pairs', 'stories/judged-pairs.jsonl.gz'],
  ['subjects', 'models/clustering/labels/weeks.jsonl'],
  ['threads', 'models/clustering/labels/affairs.jsonl'],
  ['ner', 'ner/dev/conllpp-dev.bio.gz'],
  ['ner', 'ner/dev/worldwide-newswire-30pct.bio.gz'],
  ...['da-ddt', 'de-germeval', 'fi-turku', 'hr-set', 'pt-bosque', 'sk-snk', 'sr-set', 'sv-talbanken', 'zh-gsdsimp'].map(
    (set) => ['ner', `ner/multi/dev-${set}.bio.gz`] as const,
  ),
  ['sentiment', 'sentiment/newsmtsc-dev.jsonl.gz'],
  ['sentiment', 'sentiment/sentfin-70pct.jsonl.gz'],
  ['duplicates', 'stories/ecbplus-topics-1-35.jsonl.gz'],
  ['duplicates', 'stories/allsides-2016-2018.jsonl.gz'],
  ['stories', 'stories/gvc-val.jsonl.gz'],
  ['stories', 'stories/ecbplus-topics-1-35.jsonl.gz'],
  ['stories', 'stories/uci-headlines-half.jsonl.gz'],
  ['stories', 'stories/ntrex-visible.jsonl.gz'],
  ['stories', 'stories/allsides-2016-2018.jsonl.gz'],
  ['stories', 'stories/allsides-2016-2018.jsonl.gz', 'lead'],
  ['stories', 'stories/allsides-2016-2018.jsonl.gz', 'headline'],
  ['stories', 'stories/allsides-2016-2018.jsonl.gz', 'dense'],
  ['categories', 'stories/allsides-2016-2018.jsonl.gz'],
  ['categories', 'stories/uci-headlines-half.jsonl.gz'],
  ['categories', 'models/categories/headlines.tsv'],
  ['genre', 'stories/allsides-2016-2018.jsonl.gz'],
  ['language', 'stories/ntrex-visible.jsonl.gz'],
  ['translations', 'stories/ntrex-visible.jsonl.gz'],
  ['translations', 'stories/allsides-2016-2018.jsonl.gz'],
  ['stance', 'discourse/rumoureval2017-traindev.jsonl.gz'],
  ['stance', 'discourse/emergent-train.jsonl.gz'],
]

/** The articles labelled by judged pairs, subjects and threads. */
const ARTICLES = 'stories/allsides-2016-2018.jsonl.gz'

const VARIANT = new Option(
  '--variant <name>',
  'use title and 300 characters (lead), the title only (headline), or four times as many articles a day (dense)',
).choices(Object.keys(VARIANTS))

/** The sets that exist; empty if there are only those of the project. */
function setsIn(data: string): typeof SETS {
  const isThere = ([kind, set]: (typeof SETS)[number]): boolean =>
    existsSync(pathOf(data, set)) && (!(kind in OF_ARTICLES) || existsSync(join(data, ARTICLES)))
  const found = SETS.filter(isThere)
  return found.some(([, set]) => !isProjectSet(set)) ? found : []
}

const isProjectSet = (set: string): boolean => set.startsWith('models/')
const pathOf = (data: string, set: string): string => (isProjectSet(set) ? projectPath(set) : join(data, set))

interface QualityOptions {
  readonly variant?: Variant
  readonly json?: true
  readonly predictions?: string
}

interface ArticleOptions extends QualityOptions {
  readonly articles: string
}

interface SubjectOptions extends QualityOptions {
  readonly labels: string
  readonly threshold?: number
}

interface AllOptions {
  readonly data: string
  readonly json?: true
  readonly record?: true
}

export const qualityCommand = (program: Command, wiring: Wiring): void => {
  const quality = program.command('quality').description('measure the quality of the current code on labelled files')
  for (const kind of KINDS) {
    const command = quality
      .command(kind)
      .description(`measure ${kind} on labelled files`)
      .argument('<file...>', 'labelled files (also .gz)')
      .option('--predictions <out>', 'write the predictions to this file')
      .option('--json', 'print one JSON line per figure')
      .action((files: readonly string[], options: QualityOptions) => measureFiles(wiring, { kind, files }, options))
    if (kind === 'stories') command.addOption(VARIANT)
  }
  quality
    .command('pairs')
    .description('precision and recall of "one story" on judged pairs of articles, also by density of the day')
    .argument(
      '<pairs>',
      'judged pairs of articles: {"a","b","label"} with label same, subject, different or unsure (also .gz)',
    )
    .requiredOption('--articles <file>', 'articles, in the format of `quality stories`')
    .option('--predictions <out>', 'write the story of each article to this file')
    .option('--json', 'print one JSON line per figure')
    .action((pairs: string, options: ArticleOptions) => measurePairs(wiring, pairs, options))
  quality
    .command('threads')
    .description('how well stories and threads cover long-running affairs: precision, recall, thread sizes and cost')
    .argument(
      '<affairs>',
      'long-running affairs: {"affair","half","members","near_misses"} with half learn or measure (also .gz)',
    )
    .requiredOption('--articles <file>', 'articles, in the format of `quality stories`')
    .option('--predictions <out>', 'write story and thread of each article to this file')
    .option('--json', 'print one JSON line per figure')
    .action((affairs: string, options: ArticleOptions) => measureThreads(wiring, affairs, options))
  subjectsCommand(quality, wiring)
  quality
    .command('all')
    .description('measure every labelled set in a data folder')
    .addOption(dataOption())
    .option('--record', 'write the figures to docs/quality.json and docs/quality.md')
    .option('--json', 'print one JSON line per figure')
    .action((options: AllOptions) => measureAll(wiring, options))
  checkCommand(quality, wiring)
}

function subjectsCommand(quality: Command, wiring: Wiring): void {
  quality
    .command('subjects')
    .description('precision and recall of subject pages on labelled weeks (pairs of articles)')
    .argument('<articles>', 'articles, in the format of `quality stories`')
    .requiredOption('--labels <file>', 'labels of whole weeks: {"id","week","event","subject"} (also .gz)')
    .option('--threshold <number>', 'minimum mean link of stories on one page (default: that of the model)', Number)
    .option('--predictions <out>', 'write the subject page of each article to this file')
    .option('--json', 'print one JSON line per figure')
    .action((articles: string, options: SubjectOptions) => measureSubjects(wiring, articles, options))
}

async function measureFiles(
  wiring: Wiring,
  { kind, files }: { readonly kind: QualityMeasuresKind; readonly files: readonly string[] },
  { json, predictions, variant }: QualityOptions,
): Promise<void> {
  const answers: string[] = []
  for (const file of files) {
    const measured = await measure(wiring, { kind, file, variant })
    answers.push(measured.predictions)
    if (measured.figures.length === 0) wiring.out.progress(`${file} has no labels: nothing to score`)
    measured.figures.forEach((figure) => show(wiring, { name: file, ...figure }, json))
  }
  if (predictions !== undefined) writeFileSync(predictions, answers.join(''))
}

interface LabelledFile extends QualityOptions {
  readonly kind: OfArticles
  readonly file: string
}

/** Prints the figures of one file, and writes the predictions if requested. */
async function measureFile(
  wiring: Wiring,
  { kind, file, json, predictions }: LabelledFile,
  measured: () => Promise<QualityResult>,
): Promise<void> {
  wiring.out.progress(`${kind} ${file} ...`)
  const found = await withFileName(file, measured)
  if (kind === 'pairs' && found.figures.length === 0) wiring.out.progress(`${file} has no pairs: nothing to score`)
  found.figures.forEach((figure) => show(wiring, { name: file, ...figure }, json))
  if (predictions !== undefined) writeFileSync(predictions, found.predictions)
}

const measurePairs = (wiring: Wiring, file: string, { articles, ...options }: ArticleOptions): Promise<void> =>
  measureFile(wiring, { kind: 'pairs', file, ...options }, async () => {
    const judged = judgedPairs(textOf(readFileSync(file)))
    return withFileName(articles, () => pairFigures(wiring, judged, { articles }))
  })

const measureThreads = (wiring: Wiring, file: string, { articles, ...options }: ArticleOptions): Promise<void> =>
  measureFile(wiring, { kind: 'threads', file, ...options }, () => threadFigures(wiring, file, articles))

const measureSubjects = (wiring: Wiring, articles: string, { labels, threshold, ...options }: SubjectOptions) =>
  measureFile(wiring, { kind: 'subjects', file: labels, ...options }, () =>
    subjectFigures(wiring, { articles, labels, threshold }),
  )

async function measureAll(wiring: Wiring, options: AllOptions): Promise<void> {
  const { data, json } = options
  const found = setsIn(data)
  if (found.length === 0) wiring.out.line(`nothing to measure: no labelled sets in ${data}`)
  const figures: Figure[] = []
  for (const [kind, set, variant] of found) {
    const measured = await measure(wiring, { kind, file: pathOf(data, set), variant, articles: join(data, ARTICLES) })
    const name = variant === undefined ? set : `${set} (${variant})`
    for (const figure of measured.figures.map((one) => ({ name, ...one }))) {
      figures.push(figure)
      show(wiring, figure, json)
    }
  }
  if (options.record && found.length < SETS.length) throw new Error('--record needs all sets together')
  if (options.record) await record(wiring, { files: RECORD, part: 'sets', figures })
}

interface MeasuredFile {
  readonly kind: QualityMeasuresKind | OfArticles
  readonly file: string
  readonly variant: Variant | undefined
  readonly articles?: string
}

async function measure(wiring: Wiring, { kind, file, variant, articles = '' }: MeasuredFile): Promise<QualityResult> {
  wiring.out.progress(`${kind} ${file}${variant === undefined ? '' : ` (${variant})`} ...`)
  return withFileName(file, async () =>
    isOfArticles(kind) ? OF_ARTICLES[kind](wiring, file, articles) : MEASURES[kind](wiring, file, variant),
  )
}

type OfArticles = keyof typeof OF_ARTICLES
const isOfArticles = (kind: QualityMeasuresKind | OfArticles): kind is OfArticles => kind in OF_ARTICLES

/** Sets with labels for articles of another file. Pairs only use the weeks that no model was trained on. */
const OF_ARTICLES = {
  pairs: (wiring: Wiring, file: string, articles: string): Promise<QualityResult> =>
    pairFigures(wiring, judgedPairs(textOf(readFileSync(file))), { articles, half: 'measure' }),
  subjects: (wiring: Wiring, labels: string, articles: string): Promise<QualityResult> =>
    subjectFigures(wiring, { articles, labels }),
  threads: async (wiring: Wiring, affairs: string, articles: string): Promise<QualityResult> => {
    const { figures, predictions } = await threadFigures(wiring, affairs, articles)
    return { figures: figures.filter(({ measure }) => measure.startsWith('affair_')), predictions }
  },
}

/** Adds the file name to errors about invalid lines. */
async function withFileName<Answer>(file: string, read: () => Promise<Answer>): Promise<Answer> {
  try {
    return await read()
  } catch (cause) {
    if (!(cause instanceof BadLine)) throw cause
    throw new Error(`${file}:${cause.line}: ${cause.message}`, { cause })
  }
}

function show({ out }: Wiring, figure: Figure, json: true | undefined): void {
  const { name, measure, value, n } = figure
  if (json) out.json({ set: name, measure, value, n })
  else out.line(`${value.toFixed(4)}  ${measure.padEnd(24)} n=${String(n).padEnd(7)} ${name}`)
}
