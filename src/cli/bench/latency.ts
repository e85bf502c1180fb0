import { benchLatency, type LatencyFigure, type SubmittedBody } from '../../bench/latency-bench.ts'
import type { OwnService } from '../../bench/own-service.ts'
import { askCli } from '../up-service.ts'
import type { Measured, Part, Setting } from './part.ts'

/** Half of what two cores carry. */
const RATE = 6
const SECONDS = 60
/** In turns: each may ask for the status of jobs 600 times a minute. */
const KEYS = 6

export const latency: Part = {
  says: `from POST to completed through polling, ${RATE} articles a second for ${SECONDS} s`,
  inService: measure,
}

async function measure({ articles }: Setting, service: OwnService): Promise<Measured> {
  const figures = await benchLatency({
    url: service.url,
    keys: await Promise.all(Array.from({ length: KEYS }, async () => await enterpriseKey(service))),
    articles: articles.map(asBody),
    rate: RATE,
    seconds: SECONDS,
  })
  return { figures, lines: table(figures) }
}

async function enterpriseKey({ command, environment }: OwnService): Promise<string> {
  const [program, ...first] = command
  const printed = await askCli({ command: program, args: first, environment }, [
    ...['keys', 'create', '--tier', 'enterprise', '--json'],
  ])
  return (JSON.parse(printed) as { readonly key: string }).key
}

const asBody = ({ text, title, url, source, published_date }: Setting['articles'][number]): SubmittedBody => ({
  text,
  metadata: {
    ...(title !== null && { title }),
    ...(url !== null && { url }),
    ...(source !== null && { source }),
    ...(published_date !== null && { published_date: new Date(published_date).toISOString() }),
  },
})

const table = ({ submitted, completed, failed, lost, p50, p95, p99, max }: LatencyFigure): readonly string[] => [
  `  submitted ${submitted}   completed ${completed}   failed ${failed}   lost ${lost}`,
  `  ms   p50 ${p50.toFixed(0)}   p95 ${p95.toFixed(0)}   p99 ${p99.toFixed(0)}   max ${max.toFixed(0)}`,
]
