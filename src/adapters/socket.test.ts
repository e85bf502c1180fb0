import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { WebSocketServer, type WebSocket } from 'ws'
import { SocketRefused } from '../ports/http.ts'
import { openSocket } from './socket.ts'

let server: Server
let sockets: WebSocketServer
let url: string
let ending: AbortController

beforeEach(async () => {
  server = createServer((_request, response) => response.writeHead(400).end('no'))
  sockets = new WebSocketServer({ noServer: true, autoPong: true })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/`
  ending = new AbortController()
})
afterEach(async () => {
  ending.abort()
  sockets.clients.forEach((client) => client.terminate())
  server.close()
  server.closeAllConnections()
  await once(server, 'close')
})

const serve = (to: (client: WebSocket) => void) => {
  server.on('upgrade', (request, socket, head) => sockets.handleUpgrade(request, socket, head, to))
}

async function read(frames: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = []
  for await (const frame of frames) all.push(frame)
  return all
}

it('gives text frames in order, passes binary ones over, and ends when the other side closes', async () => {
  serve((client) => {
    client.send('one')
    client.send(Buffer.from([1, 2]))
    client.send('zwei ä')
    client.close(1000)
  })

  expect(await read(openSocket()(url, ending.signal))).toEqual(['one', 'zwei ä'])
})

it('loses no frame of many that come while one is looked at', async () => {
  serve((client) => {
    for (let i = 0; i < 5_000; i++) client.send(`${i}`)
    client.close(1000)
  })

  const frames = await read(openSocket()(url, ending.signal))
  expect(frames).toEqual(Array.from({ length: 5_000 }, (_, i) => `${i}`))
})

it('throws when the connection is lost', async () => {
  serve((client) => {
    client.send('one')
    client.once('pong', () => client.terminate())
    client.ping()
  })

  await expect(read(openSocket()(url, ending.signal))).rejects.toThrow('connection lost')
})

it('throws when the other side answers, but not with a socket', async () => {
  server.on('upgrade', (_request, socket) => socket.end('HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n'))

  await expect(read(openSocket()(url, ending.signal))).rejects.toEqual(new SocketRefused(400))
})

it('throws when nobody is there', async () => {
  await expect(read(openSocket()('ws://127.0.0.1:9/', ending.signal))).rejects.toThrow()
})

it('takes a side that does not answer for lost', async () => {
  sockets = new WebSocketServer({ noServer: true, autoPong: false })
  serve((client) => client.send('one'))

  await expect(read(openSocket({ pingMs: 50 })(url, ending.signal))).rejects.toThrow('connection lost')
})

it('stays while the other side answers, though it has nothing to say', async () => {
  let pings = 0
  serve((client) => {
    client.on('ping', () => {
      if (++pings === 4) client.close(1000)
    })
  })

  // longer than a busy machine may stop the event loop
  expect(await read(openSocket({ pingMs: 150 })(url, ending.signal))).toEqual([])
})

it('ends with the signal, and with a reader who leaves', async () => {
  const closed: Promise<unknown>[] = []
  serve((client) => {
    closed.push(once(client, 'close'))
    client.send('one')
  })

  const all: string[] = []
  for await (const frame of openSocket()(url, ending.signal)) {
    all.push(frame)
    ending.abort()
  }
  for await (const frame of openSocket()(url, new AbortController().signal)) {
    all.push(frame)
    break
  }

  expect(all).toEqual(['one', 'one'])
  await Promise.all(closed)
})

it('offers its subprotocols', async () => {
  sockets = new WebSocketServer({ noServer: true, handleProtocols: (offered) => [...offered][0] ?? false })
  serve((client) => {
    client.send(client.protocol)
    client.close(1000)
  })

  expect(await read(openSocket({ protocols: ['xrpc.v1.json'] })(url, ending.signal))).toEqual(['xrpc.v1.json'])
})

it('goes nowhere without TLS but to this machine', async () => {
  await expect(read(openSocket()('ws://jetstream.example/', ending.signal))).rejects.toThrow('only wss')
})
