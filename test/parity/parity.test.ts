import { existsSync, readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { avroType, schemaText } from '../../src/events/avro.ts'
import { pipeline } from '../../src/pipeline.ts'
import { projectPath } from '../../src/config/project-path.ts'
import { readSchemas, schemaProblems } from '../../src/config/schemas.ts'
import { readTopicFiles, type TopicFile } from '../../src/config/topics.ts'
import { wireValues } from './wire-values.ts'

/** Topics no stage writes: their writers stand outside, or are sources. */
const FROM_OUTSIDE = [
  'articles.ingested',
  'clock.ticked',
  'corrections.requested',
  'discourse.polled',
  'discourse.posts',
  'keys.changed',
  'webhooks.changed',
  'webhooks.delivered',
]

/** Topics whose stages are still to come: contract first. */
const ANNOUNCED: readonly string[] = []

/** Topics that are named after what is in them, not after the stage that writes them. */
const NAMED_OTHERWISE: Readonly<Record<string, string>> = { changed: 'changes.published' }

/** Readers and writers that are no line of the pipeline. */
const STRANGERS = new Set(['producers', 'api'])

const folders = (path: string): string[] =>
  readdirSync(projectPath(path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)

const stages = Object.entries(pipeline.stages)
const effects = Object.entries(pipeline.effects)
const memories = stages.filter(([, { shape }]) => shape === 'stage with memory').map(([name]) => `${name}.memory`)
const written = stages.map(([, { writes }]) => writes)
const inUse = [...new Set([...FROM_OUTSIDE, ...written, ...memories])].sort()
const files = readTopicFiles(projectPath('topics'))
const schemas = readSchemas(projectPath('schemas'))

const file = (topic: string): TopicFile => {
  const found = files.get(topic)
  if (found === undefined) throw new Error(`topics/${topic}.yaml is missing`)
  return found
}

describe('one name for topic, schema, stage and its line in the pipeline', () => {
  it('has a topic file and a schema for every topic, and no other', () => {
    const all = [...inUse, ...ANNOUNCED].sort()

    expect([...files.keys()].sort()).toEqual(all)
    expect(schemas.map(({ topic }) => topic)).toEqual(all)
  })

  it('has a builder for every topic in use', () => {
    expect(Object.keys(wireValues).sort()).toEqual(inUse)
  })

  it('has a folder with a stage.ts for every stage, named after what it writes', () => {
    expect(folders('src/stages').sort()).toEqual(stages.map(([name]) => name).sort())
    for (const [name, { writes }] of stages) {
      expect(NAMED_OTHERWISE[name] ?? `${writes.split('.')[0] ?? ''}.${name}`).toBe(writes)
      expect(existsSync(projectPath(`src/stages/${name}/stage.ts`)), name).toBe(true)
    }
  })

  it('has an effect.ts for every effect, beside the stage of its name', () => {
    for (const [name, { writes }] of effects) {
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

describe('who writes and reads a topic is what its file says', () => {
  const sources = Object.entries<readonly string[]>(pipeline.sources)
  /** An effect has the name of the stage that plans for it. */
  const named = (...lines: readonly (readonly (readonly [string, unknown])[])[]): string[] => [
    ...new Set(lines.flat().map(([name]) => name)),
  ]
  const writersOf = (topic: string): string[] => [
    ...sources.filter(([, writes]) => writes.includes(topic)).map(([name]) => name),
    ...named(
      stages.filter(([name, { writes }]) => [writes, `${name}.memory`].includes(topic)),
      effects.filter(([, { writes }]) => writes.includes(topic)),
    ),
  ]
  const readersOf = (topic: string): string[] => [
    ...named(
      stages.filter(([name, { reads }]) => [...reads, `${name}.memory`].includes(topic)),
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

describe('topics are fit for their readers', () => {
  it.each(stages.flatMap(([name, { reads }]) => reads.map((topic) => [name, topic] as const)))(
    '%s may refuse what it reads on %s, so that has dead letters',
    (_, topic) => {
      expect(file(topic)['dead-letters']).toBeDefined()
    },
  )

  it.each(memories)('%s is compacted, and co-partitioned with what its stage reads', (memory) => {
    const [name = ''] = memory.split('.')
    const line = stages.find(([stage]) => stage === name)?.[1]
    const others = [...(line?.reads ?? []), line?.writes ?? ''].map((topic) => file(topic)['partitions-production'])

    expect(file(memory).cleanup).toBe('compact')
    expect(new Set([...others, file(memory)['partitions-production']]).size).toBe(1)
  })

  it('has one partition of each without Docker', () => {
    expect([...files].filter(([, { partitions }]) => partitions !== 1)).toEqual([])
  })
})

describe('schemas', () => {
  it.each(schemas.map((schema) => [schema.topic, schema] as const))(
    '%s is documented field by field, recorded, and read both ways by every released version',
    (_, schema) => {
      expect(schemaProblems(schema)).toEqual([])
    },
  )

  it.each(Object.entries(wireValues).flatMap(([topic, values]) => values.map((value) => [topic, value] as const)))(
    '%s carries exactly what its type says',
    (topic, value) => {
      const type = avroType(schemaText(topic))

      const back: unknown = type.fromBuffer(type.toBuffer(value))

      expect(back).toEqual(value)
    },
  )

  it('lets a foreign producer of articles leave everything out but the text', () => {
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
