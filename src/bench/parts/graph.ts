import { z } from 'zod'
import { createKey, publishKey } from '../../operations/keys/create-key.ts'
import { benchGraph, type GraphFigure } from '../../bench/graph/graph-bench.ts'
import type { OwnService } from '../../bench/own-service.ts'
import { loadConfig } from '../../config/config.ts'
import { connect } from '../../wiring/connect.ts'
import type { Wiring } from '../../ports/wiring.ts'
import type { BenchResult, BenchPart, BenchSetting } from './part.ts'

const STORIES = [8_000, 100_000] as const

export const graph: BenchPart = {
  says: `the graph over ${STORIES.map((count) => count.toLocaleString('en')).join(' and ')} stories, compared with a self-join in SQL; full build; one change (minutes)`,
  inService: measure,
}

async function measure({ wiring: { out } }: BenchSetting, service: OwnService): Promise<BenchResult> {
  const own = connect(loadConfig(service.environment), service.environment)
  try {
    const figures: GraphFigure[] = []
    for (const stories of STORIES) {
      const namespace = `bench-graph-${stories}`
      const key = await keyFor(namespace, own)
      figures.push(
        await benchGraph({
          store: await own.store(),
          ...{ stories, namespace },
          build: () => build(service.url, key),
          onProgress: (line) => out.progress(line),
        }),
      )
    }
    return { figures, lines: figures.flatMap(table) }
  } finally {
    await own.close()
  }
}

/** Keys are known everywhere within some seconds; until then a build answers 401 and is asked for again. */
async function keyFor(namespace: string, own: Wiring): Promise<string> {
  const wish = {
    tier: 'enterprise',
    privateNamespace: namespace,
    curator: false,
    name: 'bench',
    expires_at: null,
  } as const
  const { key, event } = createKey(wish, own.clock.now())
  await publishKey(event, { log: await own.log(), codec: await own.codec() })
  await own.clock.sleep(KEYS_KNOWN_MS)
  return key
}

const KEYS_KNOWN_MS = 5_000

const Built = z.object({ status: z.literal('complete'), stats: z.object({ relationships_created: z.int() }) })

async function build(url: string, key: string): Promise<{ readonly relationships: number }> {
  const answer = await fetch(`${url}/layer3/v1/graph/build`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
  })
  const { stats } = Built.parse(await answer.json())
  return { relationships: stats.relationships_created }
}

const table = (f: GraphFigure): readonly string[] => [
  `  ${f.stories.toLocaleString('en')} stories of ${f.entities_a_story.toFixed(1)} entities, the hottest in ${(f.hottest * 100).toFixed(0)} % of them; ${f.pairs.toLocaleString('en')} pairs`,
  `    the join                 ${f.join_ms.toFixed(0).padStart(8)} ms`,
  `    the same in SQL          ${(f.sql_seconds * 1000).toFixed(0).padStart(8)} ms   ${f.ratio.toFixed(0)} times as long; pairs only one of them found: ${f.pairs_only_one_found}`,
  `    a whole build            ${(f.build_seconds * 1000).toFixed(0).padStart(8)} ms   ${f.relationships.toLocaleString('en')} relationships written and shown; again, with nothing to tell: ${(f.build_again_seconds * 1000).toFixed(0)} ms`,
  `    one story changes        ${f.change_ms.toFixed(3).padStart(8)} ms   the slowest ${f.slowest_change_ms.toFixed(1)} ms`,
]
