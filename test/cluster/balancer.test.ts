import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it, vi } from 'vitest'
import { anyFreePort } from '../../src/engines/free-port.ts'
import { type Balancer, startBalancer } from './balancer.ts'

interface Instance {
  readonly port: number
  readonly server: Server
  isReady: boolean
}

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function anInstance(name: string): Promise<Instance> {
  const server = createServer((request, response) => {
    const status = request.url === '/readyz' && !instance.isReady ? 503 : 200
    response.writeHead(status, { connection: 'close' }).end(name)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const instance: Instance = { port: (server.address() as AddressInfo).port, server, isReady: true }
  closing.push(() => ended(server))
  return instance
}

async function ended(server: Server): Promise<void> {
  if (!server.listening) return
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
}

async function aBalancer(...instances: readonly number[]): Promise<Balancer> {
  const balancer = await startBalancer({ port: await anyFreePort(), instances })
  closing.push(() => balancer.close())
  return balancer
}

const ready = async (balancer: Balancer, expected: readonly boolean[]): Promise<void> => {
  await vi.waitFor(() => expect(balancer.health().map(({ isReady }) => isReady)).toEqual(expected), { timeout: 5_000 })
}

async function answersOf(balancer: Balancer, requests: number): Promise<string> {
  const names: string[] = []
  for (let n = 0; n < requests; n++) {
    const response = await fetch(balancer.url, { headers: { connection: 'close' } })
    names.push(await response.text())
  }
  return names.join('')
}

it('sends connections to ready instances in turn', async () => {
  const [one, two] = [await anInstance('1'), await anInstance('2')]
  const balancer = await aBalancer(one.port, two.port)
  await ready(balancer, [true, true])

  expect(await answersOf(balancer, 6)).toMatch(/^(12){3}|(21){3}$/)
})

it('leaves out an instance that says it ends', async () => {
  const [one, two] = [await anInstance('1'), await anInstance('2')]
  const balancer = await aBalancer(one.port, two.port)
  await ready(balancer, [true, true])

  one.isReady = false
  await ready(balancer, [false, true])

  expect(await answersOf(balancer, 4)).toBe('2222')
})

it('connects to another instance when one refuses, before any check has noticed', async () => {
  const [one, two] = [await anInstance('1'), await anInstance('2')]
  const balancer = await aBalancer(one.port, two.port)
  await ready(balancer, [true, true])

  await ended(one.server)

  expect(await answersOf(balancer, 4)).toBe('2222')
})

it('ends the connection if no instance accepts', async () => {
  const balancer = await aBalancer(await anyFreePort(), await anyFreePort())

  await expect(fetch(balancer.url)).rejects.toThrow()
})
