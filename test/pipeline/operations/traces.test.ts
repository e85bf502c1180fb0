import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { A_REPORT } from '../../builders/articles.ts'
import { startStory, stopAllStories, type StoryService } from '../story.ts'
import { until } from '../until.ts'

const Exported = z.object({
  resourceSpans: z.array(
    z.object({
      scopeSpans: z.array(
        z.object({
          spans: z.array(
            z.object({
              traceId: z.string(),
              spanId: z.string(),
              parentSpanId: z.string().optional(),
              name: z.string(),
              links: z.array(z.object({ traceId: z.string() })).default([]),
            }),
          ),
        }),
      ),
    }),
  ),
})
type ExportedSpan = z.infer<typeof Exported>['resourceSpans'][number]['scopeSpans'][number]['spans'][number]

const exported: ExportedSpan[] = []

/** A stand-in for a collector that keeps the spans. */
const collector = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const { resourceSpans } = Exported.parse(JSON.parse(Buffer.concat(chunks).toString()))
    exported.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)))
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
})

let story: StoryService

beforeAll(async () => {
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
  process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
  story = await startStory()
})
afterAll(async () => {
  delete process.env['OTEL_EXPORTER_OTLP_ENDPOINT']
  await stopAllStories()
  collector.close()
})

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
/** The processing steps of one article, by consumer group and topic. */
const STEPS = [
  'POST',
  'send articles.ingested',
  'view:jobs articles.ingested',
  'scored articles.ingested',
  'view:articles articles.scored',
  'INSERT articles',
  'analyzed articles.scored',
  'view:entities articles.analyzed',
  'clustered articles.analyzed',
  'view:clusters articles.clustered',
  'linked articles.clustered',
  'detected articles.clustered',
  'changed articles.clustered',
  'view:changes changes.published',
  'delivered changes.published',
]

it('one trace covers an article from POST through every stage to the rows of the views', async () => {
  const response = await fetch(`${story.url}/layer0/v1/process`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${story.key}`,
      'content-type': 'application/json',
      traceparent: `00-${TRACE}-00f067aa0ba902b7-01`,
    },
    body: JSON.stringify({
      text: A_REPORT,
      metadata: { title: 'Harbour bridge to close', url: 'https://www.example.com/bridge', source: 'Example Times' },
    }),
  })
  expect(response.status).toBe(202)

  const spans = await until('every step has told its span', async () => {
    const of = exported.filter(({ traceId }) => traceId === TRACE)
    return STEPS.every((step) => of.some(({ name }) => name === step)) ? of : null
  }).catch((cause: unknown) => {
    throw new Error(`told: ${[...new Set(exported.map(({ traceId, name }) => `${traceId} ${name}`))].join('\n')}`, {
      cause,
    })
  })

  const ids = new Set(spans.map(({ spanId }) => spanId))
  const without = spans.filter(({ parentSpanId = '' }) => !ids.has(parentSpanId)).map(({ name }) => name)
  expect(without).toEqual(['POST'])
})
