import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { projectPath } from '../../src/config/project-path.ts'
import { brokerProperties } from './broker-properties.ts'

const file = readFileSync(projectPath('docker/kafka/cluster.properties'), 'utf8')

const ports = [1, 2, 3].map((node) => ({ client: 1000 + node, replication: 2000 + node, controller: 3000 + node }))

const valuesOf = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )

const filled = (node: number) =>
  valuesOf(brokerProperties(file, { node, zone: 'b', ports, data: '/home/data-2', keystore: '/home/broker-2.pem' }))

describe('cluster.properties on one machine', () => {
  it('has its own addresses, and those of all controllers', () => {
    const values = filled(2)

    expect(values.get('node.id')).toBe('2')
    expect(values.get('controller.quorum.voters')).toBe('1@127.0.0.1:3001,2@127.0.0.1:3002,3@127.0.0.1:3003')
    expect(values.get('listeners')).toBe(
      'CLIENT://127.0.0.1:1002,REPLICATION://127.0.0.1:2002,CONTROLLER://127.0.0.1:3002',
    )
    expect(values.get('advertised.listeners')).toBe('CLIENT://127.0.0.1:1002,REPLICATION://127.0.0.1:2002')
  })

  it('changes addresses, folders and the shortest session only', () => {
    const before = valuesOf(file)
    const changed = [...filled(2)].filter(([name, value]) => before.has(name) && before.get(name) !== value)

    expect(changed.map(([name]) => name).toSorted()).toEqual(
      [
        'advertised.listeners',
        'broker.rack',
        'group.min.session.timeout.ms',
        'controller.quorum.voters',
        'listener.name.client.ssl.keystore.location',
        'listeners',
        'log.dirs',
        'node.id',
      ].toSorted(),
    )
  })

  it('advertises the addresses of proxies, and listens at its own', () => {
    const proxied = ports.map(({ client, replication, controller }) => ({
      ...{ client, replication, controller },
      advertised: { client: client + 3_000, replication: replication + 3_000, controller: controller + 3_000 },
    }))
    const values = valuesOf(
      brokerProperties(file, { node: 2, zone: 'b', ports: proxied, data: '/d', keystore: '/home/broker-2.pem' }),
    )

    expect(values.get('listeners')).toBe(filled(2).get('listeners'))
    expect(values.get('advertised.listeners')).toBe('CLIENT://127.0.0.1:4002,REPLICATION://127.0.0.1:5002')
    expect(values.get('controller.quorum.voters')).toBe('1@127.0.0.1:6001,2@127.0.0.1:6002,3@127.0.0.1:6003')
  })

  it('adds nothing that decides about copies, acknowledgement or encryption', () => {
    const before = valuesOf(file)
    const added = [...filled(1).keys()].filter((name) => !before.has(name))

    expect(added.filter((name) => /replica|isr|unclean|transaction|offset|ssl|sasl|listener/.test(name))).toEqual([])
  })

  it('refuses an address that it does not know', () => {
    const odd = `${file}\nremote=kafka-4:9092\n`

    expect(() => brokerProperties(odd, { node: 1, zone: 'a', ports, data: '/d', keystore: '/k' })).toThrow(/kafka-4/)
  })
})
