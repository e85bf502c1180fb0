import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type WebSocket } from 'ws'
import { cidOf, recordOf, rkeyOf, uriOf } from './bluesky.ts'
import type { PlatformChange, PlatformWorld } from './world.ts'

const PATH = '/xrpc/network.bsky.jetstream.subscribeEvents'
const NAME = 'network.bsky.jetstream.subscribeEvents'
/** From here on a cursor is a time in microseconds. */
const FIRST_TIME = 1e15

export interface JetstreamStandIn {
  /** A frame of any kind to all who listen. */
  send(frame: string): void
  /** Every connection is lost. */
  drop(): void
  /** Nothing before this `seq` is kept any more. */
  forgetBefore(seq: number): void
  /** As they were asked for, the oldest first: `cursor=17&kinds=commit`. */
  readonly connections: readonly string[]
  stop(): void
}

/** Jetstream v2 over the changes of Bluesky's posts. Shapes: lexicon network.bsky.jetstream.subscribeEvents, xrpc.v1.json. */
export function jetstreamStandIn(world: PlatformWorld, server: Server): JetstreamStandIn {
  const sockets = new WebSocketServer({ noServer: true, handleProtocols: (offered) => [...offered][0] ?? false })
  const connections: string[] = []
  let floor = 1

  const refusalOf = (path: string, cursor: string | null): JetstreamRefusal | null => {
    if (path !== PATH) return { status: 404, error: 'NotFound' }
    if (cursor === null) return null
    if (!/^\d+$/.test(cursor)) return { status: 400, error: 'InvalidRequest' }
    return Number(cursor) < floor ? { status: 400, error: 'CursorTooOld' } : null
  }

  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const url = new URL(request.url ?? '', 'http://stand-in')
    const cursor = url.searchParams.get('cursor')
    const refusal = refusalOf(url.pathname, cursor)
    if (refusal !== null) {
      refuse(socket, refusal)
      return
    }
    connections.push(url.searchParams.toString())
    sockets.handleUpgrade(request, socket, head, (client) => serve(client, cursor === null ? null : Number(cursor)))
  })

  const serve = (client: WebSocket, cursor: number | null) => {
    const publish = (change: PlatformChange) => {
      if (change.post.platform === 'bluesky') client.send(JSON.stringify(frameOf(world, change)))
    }
    const kept = world.changes.filter(({ seq }) => seq >= floor)
    const [oldest] = kept
    if (cursor !== null && cursor >= FIRST_TIME) {
      if (oldest !== undefined && cursor / 1000 < oldest.at)
        client.send(info('OutdatedCursor', `starting at seq ${floor}`))
      kept.filter(({ at }) => at * 1000 >= cursor).forEach(publish)
    } else if (cursor !== null) {
      if (cursor > world.changes.length + 1) client.send(info('FutureCursor', 'cursor is in the future'))
      kept.filter(({ seq }) => seq >= cursor).forEach(publish)
    }
    client.on('close', world.listen(publish))
  }

  return {
    send: (frame) => sockets.clients.forEach((client) => client.send(frame)),
    drop: () => sockets.clients.forEach((client) => client.terminate()),
    forgetBefore: (seq) => {
      floor = seq
    },
    connections,
    stop: () => {
      sockets.clients.forEach((client) => client.terminate())
      sockets.close()
    },
  }
}

interface JetstreamRefusal {
  readonly status: number
  readonly error: string
}

function refuse(socket: Duplex, { status, error }: JetstreamRefusal): void {
  const body = JSON.stringify({ error, message: error })
  socket.end(
    `HTTP/1.1 ${status} ${error}\r\nx-stand-in: yes\r\ncontent-type: application/json\r\n` +
      `content-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
  )
}

const message = (payload: object) => ({ $type: 'message', payload })

const info = (name: string, text: string) => JSON.stringify(message({ $type: `${NAME}#info`, name, message: text }))

function frameOf(world: PlatformWorld, { seq, operation, post, at }: PlatformChange): object {
  const [did = ''] = uriOf(post).slice('at://'.length).split('/')
  return message({
    $type: `${NAME}#commit`,
    seq,
    did,
    time: new Date(at).toISOString(),
    rev: `rev${seq}`,
    operation,
    collection: 'app.bsky.feed.post',
    rkey: rkeyOf(post),
    ...(operation === 'delete' ? {} : { record: recordOf(world, post), cid: cidOf(post) }),
  })
}
