import schema from '@asyncapi/specs/schemas/3.1.0.json' with { type: 'json' }
import { Ajv } from 'ajv'
import formats from 'ajv-formats'
import { parse } from 'avsc'
import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { asyncApiText } from './asyncapi.ts'
import { pipeline } from '../pipeline.ts'
import { projectPath } from '../config/project-path.ts'
import { asyncDocument, audienceOf } from '../api/docs/asyncapi-document.ts'

const document = asyncDocument('0')
const topics = readdirSync(projectPath('topics')).map((file) => file.replace(/\.yaml$/, ''))

it('docs/asyncapi.json is what topics/ and schemas/ say: if not, `story asyncapi > docs/asyncapi.json`', () => {
  expect(readFileSync(projectPath('docs/asyncapi.json'), 'utf8')).toBe(`${asyncApiText()}\n`)
})

it('is valid AsyncAPI 3.1', () => {
  const ajv = new Ajv({ strict: false, meta: false, validateSchema: false })
  formats.default(ajv)
  const validate = ajv.compile(schema)

  validate(JSON.parse(JSON.stringify(document)))

  expect(validate.errors).toBeNull()
})

it('has a channel for every topic, with its message in Avro', () => {
  expect(Object.keys(document.channels).sort()).toEqual(topics.sort())
  for (const { payload } of Object.values(document.components.messages)) {
    expect(() => void parse(JSON.stringify(payload.schema))).not.toThrow()
  }
})

it('refers to nothing that is not there', () => {
  const refs = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path = '']) => path.split('/'))

  const missing = refs.filter(
    (steps) =>
      steps.reduce<unknown>((at, step) => (at as Record<string, unknown> | undefined)?.[step], document) === undefined,
  )

  expect(missing).toEqual([])
})

it('lets every stage send and receive what the pipeline says', () => {
  const operations = new Set(
    Object.values(document.operations).map((one) => {
      const { action, channel, 'x-part': part } = one as { action: string; channel: { $ref: string }; 'x-part': string }
      return `${part} ${action} ${channel.$ref.replace('#/channels/', '')}`
    }),
  )

  for (const [name, { reads, writes }] of Object.entries(pipeline.stages)) {
    expect(operations).toContain(`${name} send ${writes}`)
    for (const topic of reads) expect(operations).toContain(`${name} receive ${topic}`)
  }
})

it('offers strangers what is meant for them, and marks the rest', () => {
  const of = (audience: string) => topics.filter((topic) => audienceOf(topic) === audience)

  expect(of('producers')).toEqual(['articles.ingested', 'discourse.posts'])
  expect(of('internal')).toEqual(topics.filter((topic) => /^keys|^webhooks|(memory|assignments)$/.test(topic)))
  for (const topic of of('internal')) expect(document.channels[topic]).toHaveProperty('x-internal', true)
  for (const topic of [...of('readers'), ...of('producers')]) {
    expect(document.channels[topic]).not.toHaveProperty('x-internal')
  }
})
