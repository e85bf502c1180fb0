import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

interface Load {
  readonly port: number
  /** The whole request, as it goes over the wire; the n-th of all. */
  readonly request: (n: number) => string
  /** Kept open, one request at a time on each. */
  readonly connections: number
  /** Requests a second; fewer when the server does not keep up. */
  readonly rate: number
  readonly ms: number
}

/**
 * Asks at one rate, whatever is asked: a server that is asked as fast as it answers meets another load the slower it is
 * (fewer requests a turn, a client that sleeps between them and has to be woken), and costs could not be compared. Answers the number of requests, and of the answers by
 * status.
 */
export async function load({ port, request, connections, rate, ms }: Load) {
  const statuses = new Map<string, number>()
  const open = await Promise.all(Array.from({ length: connections }, () => HttpConnection.to(port)))
  const free = [...open]
  const begun = performance.now()
  let requests = 0
  await new Promise<void>((resolve) => {
    const tick = (): void => {
      const elapsed = performance.now() - begun
      const due = (Math.min(elapsed, ms) * rate) / 1_000
      while (requests < due) {
        const connection = free.pop()
        if (connection === undefined) break
        connection.ask(request(requests++), (status) => {
          statuses.set(status, (statuses.get(status) ?? 0) + 1)
          free.push(connection)
        })
      }
      if (elapsed < ms || free.length < open.length) setTimeout(tick, TICK_MS)
      else resolve()
    }
    tick()
  })
  await Promise.all(open.map((connection) => connection.close()))
  return { requests, statuses }
}

const TICK_MS = 2

class HttpConnection {
  private readonly socket: Socket
  private missing = 0
  private status = ''
  private answered: (status: string) => void = () => undefined

  private constructor(socket: Socket) {
    this.socket = socket
    socket.on('data', (chunk) => this.read(chunk))
  }

  static async to(port: number): Promise<HttpConnection> {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    return new HttpConnection(socket)
  }

  ask(request: string, answered: (status: string) => void): void {
    this.answered = answered
    this.socket.write(request)
  }

  async close(): Promise<void> {
    const closed = once(this.socket, 'close')
    this.socket.end()
    await closed
  }

  private read(chunk: Buffer): void {
    this.missing = this.missing > 0 ? this.missing - chunk.length : this.begin(chunk)
    if (this.missing === 0) this.answered(this.status)
  }

  /** How much of the body is still to come. */
  private begin(chunk: Buffer): number {
    const end = chunk.indexOf('\r\n\r\n')
    if (end < 0) throw new Error('the head of an answer came in parts')
    const head = chunk.toString('latin1', 0, end)
    this.status = head.slice(9, 12)
    return Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0) - (chunk.length - end - 4)
  }
}
