import { quickFiles, clusteredParts } from '../wiring/stages.ts'
import { readFileSync } from 'node:fs'
import { affairsOf, type AffairScore } from './affairs.ts'
import { textOf } from './labelled-file.ts'
import { quickEntities } from './quick-entities.ts'
import { scoreThreads, type ThreadScore } from './threads.ts'
import { clustered } from '../stages/clustered/stage.ts'
import { linked } from '../stages/linked/stage.ts'
import { type QualityResult, storyEncoder } from './measures.ts'
import type { Wiring } from '../ports/wiring.ts'

/** Of affairs that people labelled, against the stories and threads of the articles they are from. Throws `BadLine`. */
export async function threadFigures(wiring: Wiring, affairs: string, articles: string): Promise<QualityResult> {
  const labelled = affairsOf(textOf(readFileSync(affairs)))
  const files = quickFiles()
  const encoder = await storyEncoder(wiring)
  const scored = await scoreThreads(articles, labelled, {
    stage: clustered(clusteredParts(wiring)),
    linked: linked({ budget: wiring.config.clustered.membersInMemory }),
    entities: (article) => quickEntities(files, article),
    encoder,
    arrival: wiring.clock.now(),
    namespace: 'quality',
  })
  encoder.save()
  const lines = scored.predictions.map(({ id, story, thread }) => `${JSON.stringify({ id, cluster: story, thread })}\n`)
  return { figures: figuresOf(scored), predictions: lines.join('') }
}

const figuresOf = ({ learn, measure, sizes, line_ms, lines }: ThreadScore): QualityResult['figures'] => [
  ...ofHalf('measure', measure),
  ...ofHalf('learn', learn),
  { measure: 'stories', value: sizes.stories, n: sizes.stories },
  { measure: 'threads', value: sizes.threads, n: sizes.stories },
  { measure: 'stories_in_threads', value: sizes.in_threads, n: sizes.stories },
  { measure: 'stories_in_largest_thread', value: sizes.largest, n: sizes.stories },
  { measure: 'linked_ms_a_line', value: line_ms, n: lines },
]

const ofHalf = (half: string, score: AffairScore): QualityResult['figures'] =>
  [
    { measure: 'affair_recall', value: score.recall },
    { measure: 'affair_precision', value: score.precision },
    { measure: 'affair_precision_of_members', value: score.precision_of_members },
    { measure: 'affair_recall_in_story', value: score.in_story },
  ].map(({ measure, value }) => ({ measure: `${measure}_${half}`, value, n: score.pairs }))
