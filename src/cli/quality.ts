import type { Command } from 'commander'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { clusteringWeights } from '../adapters/clustering-model.ts'
import { projectPath } from '../project-path.ts'
import { scoreDuplicates } from '../quality/duplicates.ts'
import { scoreNerFile } from '../quality/score-ner-file.ts'
import { scoreSentimentFile } from '../quality/score-sentiment-file.ts'
import { scoreStories } from '../quality/stories.ts'
import { clustered } from '../stages/clustered/stage.ts'
import { clusteredParts } from './stage-parts.ts'
import { textIndex } from './text-index.ts'
import type { Wiring } from './wiring.ts'

/** One figure of one file. */
interface Figure {
  readonly set: string
  readonly measure: string
  readonly value: number
  /** Things counted. */
  readonly n: number
}

interface Measured {
  readonly figures: readonly Omit<Figure, 'set'>[]
  readonly predictions: string
}

type Measure = (wiring: Wiring, file: string) => Promise<Measured>

const MEASURES = { stories, ner, sentiment, duplicates } satisfies Record<string, Measure>
type Kind = keyof typeof MEASURES

/** The labelled sets beside the project, where somebody has them. */
const SETS: readonly (readonly [Kind, string])[] = [
  ['ner', 'ner/dev/conllpp-dev.bio.gz'],
  ['ner', 'ner/dev/worldwide-newswire-30pct.bio.gz'],
  ['sentiment', 'sentiment/newsmtsc-dev.jsonl.gz'],
  ['sentiment', 'sentiment/sentfin-70pct.jsonl.gz'],
  ['duplicates', 'stories/ecbplus-topics-1-35.jsonl.gz'],
  ['duplicates', 'stories/allsides-2016-2018.jsonl.gz'],
  ['stories', 'stories/gvc-val.jsonl.gz'],
  ['stories', 'stories/ecbplus-topics-1-35.jsonl.gz'],
  ['stories', 'stories/uci-headlines-half.jsonl.gz'],
  ['stories', 'stories/allsides-2016-2018.jsonl.gz'],
]

export const qualityCommand = (program: Command, wiring: Wiring): void => {
  const quality = program.command('quality').description('measures today’s code on labelled files')
  for (const kind of Object.keys(MEASURES).filter((name): name is Kind => name in MEASURES)) {
    quality
      .command(kind)
      .argument('<file...>', 'labelled files, also .gz')
      .option('--predictions <out>', 'write what was answered, so that anybody can score it')
      .option('--json', 'one JSON line a figure')
      .action(
        async (files: readonly string[], options: Options) =>
          await measure(
            wiring,
            files.map((file) => [kind, file]),
            options,
          ),
      )
  }
  quality
    .command('all')
    .description('every labelled set of a data folder')
    .option('--data <folder>', 'where the sets are', projectPath('../shared/data'))
    .option('--json', 'one JSON line a figure')
    .action(async ({ data, ...options }: Options & { readonly data: string }) => {
      const found = SETS.map(([kind, file]) => [kind, join(data, file)] as const).filter(([, file]) => existsSync(file))
      if (found.length === 0) wiring.out.line(`nothing to measure with: no labelled sets in ${data}`)
      await measure(wiring, found, options)
    })
}

interface Options {
  readonly json?: true
  readonly predictions?: string
}

async function measure(
  wiring: Wiring,
  files: readonly (readonly [Kind, string])[],
  { json, predictions }: Options,
): Promise<void> {
  const answers: string[] = []
  for (const [kind, file] of files) {
    wiring.out.progress(`${kind} ${file} ...\n`)
    const measured = await MEASURES[kind](wiring, file)
    answers.push(measured.predictions)
    for (const figure of measured.figures) {
      const shown: Figure = { set: file, ...figure }
      if (json) wiring.out.json(shown)
      else
        wiring.out.line(
          `${figure.value.toFixed(4)}  ${figure.measure.padEnd(24)} n=${String(figure.n).padEnd(7)} ${file}`,
        )
    }
  }
  if (predictions !== undefined) writeFileSync(predictions, answers.join(''))
}

async function ner(wiring: Wiring, file: string): Promise<Measured> {
  const using = { tagger: await wiring.tagger(), lists: wiring.quickFiles() }
  const { value, n, measure: name, predictions } = await scoreNerFile(using, readFileSync(file))
  return { figures: [{ measure: name, value, n }], predictions }
}

async function sentiment(wiring: Wiring, file: string): Promise<Measured> {
  const encoder = await wiring.encoder()
  const { value, n, measure: name, predictions } = await scoreSentimentFile(encoder, readFileSync(file))
  return { figures: [{ measure: name, value, n }], predictions }
}

async function duplicates(wiring: Wiring, file: string): Promise<Measured> {
  const index = textIndex(clusteringWeights().origins)
  return await scoreDuplicates(file, { index, arrival: wiring.clock.now() })
}

async function stories(wiring: Wiring, file: string): Promise<Measured> {
  const stage = clustered(clusteredParts(wiring))
  const scored = await scoreStories(file, {
    stage,
    encoder: await wiring.encoder(),
    arrival: wiring.clock.now(),
    namespace: 'quality',
  })
  const n = scored.labelled
  return {
    figures: [
      { measure: 'b_cubed_precision', value: scored.b_cubed.precision, n },
      { measure: 'b_cubed_recall', value: scored.b_cubed.recall, n },
      { measure: 'b_cubed_f1', value: scored.b_cubed.f1, n },
      { measure: 'pairwise_f1', value: scored.pairwise.f1, n },
    ],
    predictions: scored.predictions
      .map(({ id, cluster_id }) => `${JSON.stringify({ id, cluster: cluster_id })}\n`)
      .join(''),
  }
}
