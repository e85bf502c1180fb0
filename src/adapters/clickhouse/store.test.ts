import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { clickhouseStore } from './store.ts'

it('sends one ping for all who wait for one, so that frequent pings of a slow server do not queue', async () => {
  const pings: (() => void)[] = []
  const server = createServer((_, response) => pings.push(() => response.end('Ok.\n'))).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const store = clickhouseStore({ url: `http://127.0.0.1:${port}`, user: 'story', password: '', database: 'story' })
  const answer = async () => {
    await expect.poll(() => pings.length).toBe(1)
    pings.splice(0).forEach((respond) => respond())
  }

  const together = [store.ping(), store.ping(), store.ping()]
  await answer()
  expect(await Promise.all(together)).toEqual([true, true, true])
  const later = store.ping()
  await answer()
  expect(await later).toBe(true)

  await store.close()
  server.close()
})
