import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

interface Load {
  readonly port: number
  /** The n-th request, complete as it is sent. */
  readonly request: (n: number) => string
  /** Persistent connections, each with one request at a time. */
  readonly connections: number
  /** Requests per second. Fewer are sent if the server does not keep up. */
  readonly rate: number
  readonly ms: number
}

/**
 * Sends requests at a fixed rate. If they were sent as fast as the server responds, a slower server would receive a
 * different load (fewer requests per turn, a client that sleeps and must be woken), and costs could not be compared.
 * Returns the number of requests, and of responses by status.
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

  /** Reads the head of a response. Returns the number of bytes of the body that are still missing. */
  private begin(chunk: Buffer): number {
    const end = chunk.indexOf('\r\n\r\n')
    if (end < 0) throw new Error('the head of an answer came in parts')
    const head = chunk.toString('latin1', 0, end)
    this.status = head.slice(9, 12)
    return Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0) - (chunk.length - end - 4)
  }
}
