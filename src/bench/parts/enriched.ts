import { PlainCodec } from '../../adapters/plain-codec.ts'
import { readStanceModel } from '../../adapters/model-files.ts'
import { benchEnriched, type EnrichedFigure } from '../../bench/enriched/enriched-bench.ts'
import { ms, type BenchResult, type BenchPart, type BenchSetting } from './part.ts'

/** Stories as they are: a few with thousands of posts, most with some dozen; and the worst: all posts are of one. */
const WORLDS = [
  { stories: 200, posts: 30_000 },
  { stories: 1, posts: 5_000 },
] as const

export const enriched: BenchPart = {
  says: 'the enricher without its models: posts per second on one core, compared with JSON.parse; scheduler ticks',
  alone: measure,
}

async function measure({ wiring }: BenchSetting): Promise<BenchResult> {
  await wiring.close() // the models would take the cores of what is measured
  const codec = new PlainCodec()
  const stance = readStanceModel()
  const figures: EnrichedFigure[] = []
  for (const world of WORLDS) {
    wiring.out.progress(`${world.posts.toLocaleString('en')} posts on ${world.stories} stories ...`)
    figures.push(await benchEnriched(world, { stance, encode: (topic, event) => codec.encode(topic, event) }))
  }
  return { figures, lines: figures.flatMap(table) }
}

const table = (f: EnrichedFigure): readonly string[] => [
  `  ${f.posts.toLocaleString('en')} posts on ${f.stories} ${f.stories === 1 ? 'story' : 'stories'}, ${f.records.toLocaleString('en')} records told`,
  `    posts a second          ${f.posts_a_second.toFixed(0).padStart(9)}   on one core, by CPU time, ticks included`,
  `    CPU ms a post           ${ms(f.cpu_ms_a_post)}   ${f.ratio.toFixed(0)} times JSON.parse of it`,
  `    a tick each 5,000       ${ms(f.tick_ms_median)} ms, at most ${f.tick_ms_most.toFixed(0)}; the last, a flush, ${f.flush_ms.toFixed(0)}`,
  `    memory entries          ${(f.memory_bytes_a_post / 1024).toFixed(2).padStart(9)} KB a post written`,
]
