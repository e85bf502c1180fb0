import { setTimeout } from 'node:timers/promises'
import { benchLatency, type LatencyFigure, type SubmittedBody } from '../latency-bench.ts'
import type { OwnService } from '../own-service.ts'
import { askCli } from '../../wiring/up/service.ts'
import type { BenchResult, BenchPart, BenchSetting } from './part.ts'

/** Articles a second: half of what two cores carry with all their polls, and what an import carries half of. */
const RATES = [4, 6] as const
const SECONDS = 60
/** In turns: each may ask for the status of jobs 600 times a minute. */
const KEYS = 6

export const latency: BenchPart = {
  says: `time from POST to completed (polling), ${RATES.join(' and ')} articles per second for ${SECONDS} s each`,
  inService: measure,
}

async function measure({ articles }: BenchSetting, service: OwnService): Promise<BenchResult> {
  const keys = await Promise.all(Array.from({ length: KEYS }, () => enterpriseKey(service)))
  const figures: (LatencyFigure & { readonly rate: number })[] = []
  for (const [i, rate] of RATES.entries()) {
    // each rate has articles of its own, as far as there are enough: those that are known cost less
    const bodies = [...articles.slice(i * SECONDS * rate), ...articles].map(asBody)
    figures.push({
      rate,
      ...(await benchLatency({ url: service.url, keys, articles: bodies, rate, seconds: SECONDS })),
    })
  }
  return { figures, lines: figures.flatMap(table) }
}

/** A new key, once the service knows it. */
async function enterpriseKey({ command, environment, url }: OwnService): Promise<string> {
  const [program, ...first] = command
  const printed = await askCli({ command: program, args: first, environment }, [
    ...['keys', 'create', '--tier', 'enterprise', '--json'],
  ])
  const { key } = JSON.parse(printed) as { readonly key: string }
  const known = async (): Promise<boolean> => {
    const response = await fetch(`${url}/layer0/v1/status/none`, { headers: { authorization: `Bearer ${key}` } })
    await response.arrayBuffer()
    return response.status !== 401
  }
  while (!(await known())) await setTimeout(50)
  return key
}

const asBody = ({ text, title, url, source, published_date }: BenchSetting['articles'][number]): SubmittedBody => ({
  text,
  metadata: {
    ...(title !== null && { title }),
    ...(url !== null && { url }),
    ...(source !== null && { source }),
    ...(published_date !== null && { published_date: new Date(published_date).toISOString() }),
  },
})

const table = ({
  rate,
  submitted,
  completed,
  failed,
  lost_because,
  ...ms
}: LatencyFigure & { readonly rate: number }): readonly string[] => [
  `  ${rate} a second: submitted ${submitted}   completed ${completed}   failed ${failed}   lost ${ms.lost}`,
  ...lost_because.map((answer) => `    ${answer}`),
  `  ms   p50 ${ms.p50.toFixed(0)}   p95 ${ms.p95.toFixed(0)}   p99 ${ms.p99.toFixed(0)}   max ${ms.max.toFixed(0)}`,
]
