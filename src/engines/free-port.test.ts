import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { anyFreePort, freePort } from './free-port.ts'

let server: Server
let taken = 0

beforeAll(async () => {
  taken = await anyFreePort()
  server = createServer().listen(taken, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => server.close())

it('names a port that was set and is taken, with the variable to change', async () => {
  await expect(freePort({ variable: 'CLICKHOUSE_PORT', set: taken, preferred: 1 }, new Set())).rejects.toThrow(
    `port ${taken} (CLICKHOUSE_PORT) is taken; set CLICKHOUSE_PORT to a free one`,
  )
})

it('gives way to the next free port when none was set', async () => {
  const port = await freePort({ variable: 'PORT', set: undefined, preferred: taken }, new Set([taken + 1]))
  expect(port).toBeGreaterThan(taken + 1)
})

it('takes a set port that is free', async () => {
  const free = await anyFreePort()
  expect(await freePort({ variable: 'PORT', set: free, preferred: 1 }, new Set())).toBe(free)
})
