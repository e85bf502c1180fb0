import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { Environment } from '../config.ts'
import { projectPath } from '../project-path.ts'

const Service = z.object({
  image: z.string(),
  build: z.unknown().optional(),
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
    expect(services.map(([name]) => name)).toEqual(['kafka', 'registry', 'clickhouse', 'prepare', 'service'])
  })

  it.each(services)('pins the version of %s', (_, { image }) => {
    expect(image).toMatch(/^[a-z/-]+:\d+\.\d+(\.\d+)?$/)
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
      if (source.startsWith('./'))
        expect(() => readFileSync(projectPath(`docker/${source}`)), source).not.toThrow(/ENOENT/)
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
