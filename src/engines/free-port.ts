import { once } from 'node:events'
import { connect, createServer } from 'node:net'

export interface PortRequest {
  /** The variable that sets the port, for error messages. */
  readonly variable: string
  /** The requested port. If undefined, the first free one from `preferred` is used. */
  readonly set: number | undefined
  readonly preferred: number
}

const tries = 200

/**
 * The port to use on the loopback address. Throws an error with the port and its variable if a requested port is taken.
 */
export async function freePort({ variable, set, preferred }: PortRequest, avoid: ReadonlySet<number>): Promise<number> {
  if (set !== undefined) {
    if (!avoid.has(set) && (await isFree(set))) return set
    throw new Error(`port ${set} (${variable}) is taken; set ${variable} to a free one`)
  }
  for (let port = preferred; port < preferred + tries; port++) {
    if (!avoid.has(port) && (await isFree(port))) return port
  }
  throw new Error(`no free port from ${preferred} to ${preferred + tries - 1}; set ${variable} to a free one`)
}

/** A free port, chosen by the operating system. */
export async function anyFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** Checks twice, because macOS allows a bind to 127.0.0.1 even if another process listens on all addresses. */
const isFree = async (port: number): Promise<boolean> => !(await answers(port)) && (await canBind(port))

export async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

async function canBind(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}
