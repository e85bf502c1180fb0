import { existsSync, readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { avroType, schemaText } from '../../src/events/avro.ts'
import { pipeline } from '../../src/pipeline.ts'
import { projectPath } from '../../src/config/project-path.ts'
import { readSchemas, schemaProblems } from '../../src/config/schemas.ts'
import { readTopicFiles, type TopicFile } from '../../src/config/topics.ts'
import { wireValues } from './wire-values.ts'

/** Topics that no stage writes: their writers are external, or sources. */
const FROM_OUTSIDE = [
  'articles.ingested',
  'clock.ticked',
  'corrections.requested',
  'discourse.polled',
  'discourse.posts',
  'documents.fetched',
  'feeds.changed',
  'keys.changed',
  'monitors.changed',
  'webhooks.changed',
  'webhooks.delivered',
]

/** Topics whose stages do not exist yet. */
const ANNOUNCED: readonly string[] = []

/** Topics named after their content, not after the stage that writes them. */
const NAMED_OTHERWISE: Readonly<Record<string, string>> = { changed: 'changes.published' }

/** Readers and writers outside the pipeline. */
const STRANGERS = new Set(['producers', 'api'])

/** Effects without a stage of the same name. */
const PLANS_ITSELF: ReadonlySet<string> = new Set(['feeds'])

const folders = (path: string): string[] =>
  readdirSync(projectPath(path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)

const stages = Object.entries(pipeline.stages)
const effects = Object.entries(pipeline.effects)
const memories = stages.flatMap(([, { state }]) => state)
const written = stages.map(([, { writes }]) => writes)
const inUse = [...new Set([...FROM_OUTSIDE, ...written, ...memories])].sort()
const files = readTopicFiles(projectPath('topics'))
const schemas = readSchemas(projectPath('schemas'))

const file = (topic: string): TopicFile => {
  const found = files.get(topic)
  if (found === undefined) throw new Error(`topics/${topic}.yaml is missing`)
  return found
}

describe('topic, schema, stage and pipeline entry share one name', () => {
  it('has exactly one topic file and schema per topic', () => {
    const all = [...inUse, ...ANNOUNCED].sort()

    expect([...files.keys()].sort()).toEqual(all)
    expect(schemas.map(({ topic }) => topic)).toEqual(all)
  })

  it('has a test builder for every topic in use', () => {
    expect(Object.keys(wireValues).sort()).toEqual(inUse)
  })

  it('has a folder with a stage.ts for every stage, named after its output topic', () => {
    expect(folders('src/stages').sort()).toEqual(stages.map(([name]) => name).sort())
    for (const [name, { writes }] of stages) {
      expect(NAMED_OTHERWISE[name] ?? `${writes.split('.')[0] ?? ''}.${name}`).toBe(writes)
      expect(existsSync(projectPath(`src/stages/${name}/stage.ts`)), name).toBe(true)
    }
  })

  it('has an effect.ts for every effect with a stage, in the folder of the stage of that name', () => {
    for (const [name, { writes }] of effects.filter(([name]) => !PLANS_ITSELF.has(name))) {
      expect(existsSync(projectPath(`src/stages/${name}/effect.ts`)), name).toBe(true)
      expect(writes[0]).toBe(stages.find(([stage]) => stage === name)?.[1].writes)
    }
  })

  it('has a folder for every view', () => {
    expect(
      folders('src/views')
        .filter((name) => name !== 'migrations')
        .sort(),
    ).toEqual(pipeline.views.map(({ name }) => name).sort())
  })
})

describe('the topic file names the actual writers and readers', () => {
  const sources = Object.entries<readonly string[]>(pipeline.sources)
  /** An effect has the name of the stage that plans for it. */
  const named = (...lines: readonly (readonly (readonly [string, unknown])[])[]): string[] => [
    ...new Set(lines.flat().map(([name]) => name)),
  ]
  const writersOf = (topic: string): string[] => [
    ...sources.filter(([, writes]) => writes.includes(topic)).map(([name]) => name),
    ...named(
      stages.filter(([, { writes, state }]) => [writes, ...state].includes(topic)),
      effects.filter(([, { writes }]) => writes.includes(topic)),
    ),
  ]
  const readersOf = (topic: string): string[] => [
    ...named(
      stages.filter(([, { reads, state }]) => [...reads, ...state].includes(topic)),
      effects.filter(([, { reads }]) => reads.includes(topic)),
    ),
    ...pipeline.views
      .filter(({ projections }) => projections.some(({ reads }) => reads.name === topic))
      .map(({ name }) => `view:${name}`),
  ]
  const known = (names: readonly string[]): string[] => names.filter((name) => !STRANGERS.has(name)).sort()

  it.each(inUse)('%s', (topic) => {
    expect(known(file(topic)['written-by'])).toEqual(writersOf(topic).sort())
    expect(known(file(topic)['read-by'])).toEqual(readersOf(topic).sort())
  })
})

describe('topic settings match their readers', () => {
  it.each(stages.flatMap(([name, { reads }]) => reads.map((topic) => [name, topic] as const)))(
    '%s may reject records of %s, so that topic has dead letters',
    (_, topic) => {
      expect(file(topic)['dead-letters']).toBeDefined()
    },
  )

  it.each(memories)("%s is compacted and co-partitioned with its stage's input", (memory) => {
    const [name = ''] = memory.split('.')
    const line = stages.find(([stage]) => stage === name)?.[1]
    const others = [...(line?.reads ?? []), line?.writes ?? ''].map((topic) => file(topic)['partitions-production'])

    expect(file(memory).cleanup).toBe('compact')
    expect(new Set([...others, file(memory)['partitions-production']]).size).toBe(1)
  })

  it('every topic has one partition without Docker', () => {
    expect([...files].filter(([, { partitions }]) => partitions !== 1)).toEqual([])
  })
})

describe('schemas', () => {
  it.each(schemas.map((schema) => [schema.topic, schema] as const))(
    '%s documents every field, is recorded, and is compatible with every released version',
    (_, schema) => {
      expect(schemaProblems(schema)).toEqual([])
    },
  )

  it.each(Object.entries(wireValues).flatMap(([topic, values]) => values.map((value) => [topic, value] as const)))(
    '%s round-trips every value of its type',
    (topic, value) => {
      const type = avroType(schemaText(topic))

      const back: unknown = type.fromBuffer(type.toBuffer(value))

      expect(back).toEqual(value)
    },
  )

  it('accepts articles from other producers with only a text', () => {
    const writer = {
      type: 'record',
      name: 'ArticleIngested',
      namespace: 'story.events',
      fields: [{ name: 'text', type: 'string' }],
    }
    const [theirs, ours] = [avroType(JSON.stringify(writer)), avroType(schemaText('articles.ingested'))]

    const read: unknown = ours.fromBuffer(theirs.toBuffer({ text: 'Some text.' }), ours.createResolver(theirs))

    expect(read).toMatchObject({ text: 'Some text.', namespace: 'shared', event_id: '', url: null, producer: null })
  })
})
