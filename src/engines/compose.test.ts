import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { CONNECTORS } from '../wiring/start-connector.ts'
import { ROLES } from '../wiring/roles.ts'
import { Environment } from '../config/config.ts'
import { projectPath } from '../config/project-path.ts'

const Service = z.object({
  image: z.string(),
  build: z.unknown().optional(),
  profiles: z.array(z.string()).default([]),
  command: z.array(z.string()).default([]),
  environment: z.record(z.string(), z.string()).default({}),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
  healthcheck: z.object({ test: z.tuple([z.literal('CMD')], z.string()), retries: z.number() }).optional(),
  ports: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
})
const Compose = z.object({ services: z.record(z.string(), Service), volumes: z.record(z.string(), z.unknown()) })

const compose = Compose.parse(parse(readFileSync(projectPath('docker/compose.yaml'), 'utf8'), { merge: true }))
const services = Object.entries(compose.services)
const dependencies = services.flatMap(([, service]) => Object.entries(service.depends_on))
/** Others wait for these to end, so there is no health to ask about. */
const runOnce = dependencies
  .filter(([, { condition }]) => condition === 'service_completed_successfully')
  .map(([name]) => name)

describe('docker/compose.yaml', () => {
  it('runs the log, the registry, the store and the service', () => {
    const always = services.filter(([, { profiles }]) => profiles.length === 0)
    expect(always.map(([name]) => name)).toEqual(['kafka', 'registry', 'clickhouse', 'prepare', 'service'])
  })

  it('runs who watches them where that is asked for', () => {
    const watching = services.filter(([, { profiles }]) => profiles.includes('watch'))
    expect(watching.map(([name]) => name)).toEqual(['prometheus', 'grafana'])
  })

  it.each(services)('pins the version of %s', (_, { image }) => {
    expect(image).toMatch(/^[a-z/-]+:v?\d+\.\d+\.\d+(\.\d+)?(@sha256:[0-9a-f]{64})?$/)
  })

  it('pins images that others publish by digest, but those whose digest is not confirmed (docker/README.md)', () => {
    const unpinned = services.filter(([, { image, build }]) => build === undefined && !image.includes('@sha256:'))
    expect(unpinned.map(([name]) => name)).toEqual(['registry', 'clickhouse'])
  })

  it.each(services.filter(([name]) => !runOnce.includes(name)))('asks %s for its health', (_, { healthcheck }) => {
    expect(healthcheck?.test.length).toBeGreaterThan(1)
  })

  it.each(services)('opens %s to this machine only', (_, { ports }) => {
    expect(ports.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([])
  })

  it.each(services.filter(([, { build }]) => build !== undefined))(
    'gives %s only names that the configuration knows',
    (_, { environment }) => {
      const known: readonly string[] = Object.keys(Environment.shape)
      expect(Object.keys(environment).filter((name) => !known.includes(name))).toEqual([])
      expect(Object.keys(environment)).toEqual(
        expect.arrayContaining([
          'KAFKA_BROKERS',
          'REGISTRY_URL',
          'CLICKHOUSE_URL',
          'CLICKHOUSE_PASSWORD',
          'STORY_HOME',
        ]),
      )
    },
  )

  it('depends on services that are there, and are asked for their health where that is waited for', () => {
    for (const [name, { condition }] of dependencies) {
      expect(compose.services[name], name).toBeDefined()
      if (condition === 'service_healthy') expect(compose.services[name]?.healthcheck, name).toBeDefined()
    }
  })

  it('mounts files that are there, and volumes that are declared', () => {
    for (const source of services.flatMap(([, { volumes }]) => volumes.map((volume) => volume.split(':')[0] ?? ''))) {
      if (source.startsWith('./')) expect(existsSync(projectPath(`docker/${source}`)), source).toBe(true)
      else expect(Object.keys(compose.volumes)).toContain(source)
    }
  })

  it('has no password in it', () => {
    const secrets = services.flatMap(([, { environment }]) =>
      Object.entries(environment).filter(([name]) => /PASSWORD|SECRET|TOKEN/.test(name)),
    )
    expect(secrets.filter(([, value]) => !/^\$\{[A-Z_]+:(?:\?.+|-)\}$/.test(value))).toEqual([])
  })
})

describe('docker/compose.apart.yaml', () => {
  const Apart = z.object({ services: z.record(z.string(), Service.partial()) })
  const apart = Object.entries(
    Apart.parse(parse(readFileSync(projectPath('docker/compose.apart.yaml'), 'utf8'), { merge: true })).services,
  )

  it('has a process for every role, and leaves out the one that has all', () => {
    const roles = apart.flatMap(([, { command = [] }]) => command.slice(1))
    expect(roles.sort()).toEqual(ROLES.filter((role) => !CONNECTORS.includes(role)).sort())
    expect(apart.find(([name]) => name === 'service')?.[1].profiles).toEqual(['one'])
  })

  it.each(apart.filter(([name]) => name !== 'service'))('asks %s for its health', (_, { healthcheck }) => {
    expect(healthcheck?.test.length).toBeGreaterThan(1)
  })
})

/** Tags that are not closed, or not where they should be; comments aside. */
function openTags(xml: string): readonly string[] {
  const open: string[] = []
  for (const [, closing, name = '', empty] of xml
    .replaceAll(/<!--.*?-->/gs, '')
    .matchAll(/<(\/?)([\w-]+)[^<>]*?(\/?)>/g)) {
    if (empty === '/') continue
    if (closing === '') open.push(name)
    else if (open.pop() !== name) return [`/${name}`]
  }
  return open
}

describe('files of docker/', () => {
  const ajv = new Ajv2020({ strict: false })
  formats.default(ajv)
  const isCompose = ajv.compile(
    JSON.parse(readFileSync(projectPath('docker/schema/compose-spec.json'), 'utf8')) as Record<string, unknown>,
  )

  it.each(['compose.yaml', 'compose.apart.yaml'])('%s is what the compose specification says', (file) => {
    const read: unknown = parse(readFileSync(projectPath(`docker/${file}`), 'utf8'), { merge: true })

    expect(isCompose(read), ajv.errorsText(isCompose.errors)).toBe(true)
    expect(isCompose({ ...(read as object), servcies: {} })).toBe(false)
  })

  it.each(readdirSync(projectPath('docker/clickhouse')))('clickhouse/%s is well-formed', (file) => {
    const text = readFileSync(projectPath(`docker/clickhouse/${file}`), 'utf8')

    expect(openTags(text)).toEqual([])
    expect(openTags(text.replace('</clickhouse>', ''))).toEqual(['clickhouse'])
  })

  it.each(['server.properties', 'cluster.properties'])('kafka/%s has one value for each name', (file) => {
    const lines = readFileSync(projectPath(`docker/kafka/${file}`), 'utf8').split('\n')
    const names = lines.filter((line) => line !== '' && !line.startsWith('#')).map((line) => line.split('=', 1)[0])

    expect(lines.filter((line) => line !== '' && !/^(#.*|[a-z0-9.-]+=\S(.*\S)?)$/.test(line))).toEqual([])
    expect(new Set(names).size).toBe(names.length)
  })

  it('has three brokers take every record that one takes', () => {
    const valueOf = (file: string, name: string): string | undefined =>
      new RegExp(`^${name}=(.*)$`, 'm').exec(readFileSync(projectPath(`docker/kafka/${file}`), 'utf8'))?.[1]
    for (const name of [
      'message.max.bytes',
      'log.message.timestamp.type',
      'auto.create.topics.enable',
      'transaction.max.timeout.ms',
    ]) {
      expect(valueOf('cluster.properties', name), name).toBe(valueOf('server.properties', name))
    }
  })
})

describe('docker/Dockerfile', () => {
  it('builds on and runs one Node, pinned by digest', () => {
    const images = [...readFileSync(projectPath('docker/Dockerfile'), 'utf8').matchAll(/^FROM (\S+)/gm)].map(
      ([, name]) => name,
    )
    expect(images).toHaveLength(2)
    expect(new Set(images).size).toBe(1)
    expect(images[0]).toMatch(/^node:24\.\d+\.\d+-\S+@sha256:[0-9a-f]{64}$/)
  })

  it('keeps the compiled parts of packages, which npm installs as optional ones', () => {
    const installs = [...readFileSync(projectPath('docker/Dockerfile'), 'utf8').matchAll(/^RUN npm ci.*$/gm)]

    expect(installs.map(([line]) => line)).toEqual(['RUN npm ci', 'RUN npm ci --omit=dev && rm -r node_modules/@chdb'])
  })

  const copied = [
    ...readFileSync(projectPath('docker/Dockerfile'), 'utf8').matchAll(/^COPY --from=build \S*\/opt\/story\/(\S+) /gm),
  ].map(([, path = '']) => path)

  it.each(['schemas', 'topics', 'models', 'samples', 'package.json', 'docs/quality.json', 'src/views/migrations'])(
    'has %s in the image, which the service reads',
    (path) => {
      expect(existsSync(projectPath(path))).toBe(true)
      expect(copied).toContain(path)
    },
  )
})
