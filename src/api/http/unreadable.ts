import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { pathOf, type AnswerHeaders } from './answer.ts'
import type { Dependencies } from './dependencies.ts'
import { answerHeaders, logRequest, requestId } from './entrance.ts'
import { problem, problemBody, PROBLEMS, type Problem } from './problem.ts'

type UnreadablePorts = Pick<Dependencies, 'logger' | 'corsOrigins'>

/** The parts of a request that could be parsed. */
interface Known {
  readonly method: string
  readonly path: string
  readonly sentId: string | undefined
  readonly origin: string | undefined
}

const NOTHING: Known = { method: '', path: '', sentId: undefined, origin: undefined }

/**
 * Answers requests that never reach the app like any other: with a problem, a request id, headers and a log line.
 * Node's default responses have none of these.
 */
export function refuseUnreadable(server: Server, ports: UnreadablePorts): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable || error.code === 'ECONNRESET' || isTaken(socket, error.code)) socket.destroy()
    else raw(socket, refusal(NOTHING, unreadable(error.code), ports))
  })
  server.on('connect', (request, socket) => {
    socket.on('error', () => socket.destroy())
    const { headers, ...rest } = refusal(
      knownOf(request),
      problem('method_not_allowed', 'The service is not a proxy'),
      ports,
    )
    raw(socket, { ...rest, headers: { ...headers, allow: '' } }) // requests for another host are not supported
  })
  server.on('checkExpectation', (request, response) => {
    const detail = `Expect: ${String(request.headers.expect)} is not supported; only 100-continue is`
    refuseTo(request, response, { refusal: problem('expectation_failed', detail), ports })
  })
}

/** Refuses a request that Node could parse but the adapter could not. */
export function refuseAddress(request: IncomingMessage, response: ServerResponse, ports: UnreadablePorts): void {
  const detail = hasHost(request)
    ? 'The address or the Host header of the request cannot be read'
    : 'The request has no Host header'
  refuseTo(request, response, { refusal: problem('bad_request', detail), ports })
}

/** Every request must have a Host header (RFC 9112, 3.2), and it must not be empty. */
export const hasHost = ({ headers }: IncomingMessage): boolean => headers.host !== undefined && headers.host !== ''

function unreadable(code: string | undefined): Problem {
  if (code === 'HPE_HEADER_OVERFLOW') return problem('headers_too_large', 'The address or the headers are too long')
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return problem('request_timeout', 'The request did not arrive in time')
  return problem('bad_request', 'The request is not valid HTTP')
}

interface RawRefusal {
  readonly status: number
  readonly headers: AnswerHeaders
  readonly body: string
}

function refusal(known: Known, problem: Problem, { logger, corsOrigins }: UnreadablePorts): RawRefusal {
  const { method, path, sentId, origin } = known
  const [request_id, { status }] = [requestId(sentId), PROBLEMS[problem.code]]
  const body = JSON.stringify(problemBody(problem, path))
  logRequest(logger, { ...{ request_id, key_id: null, method, path, status }, started: performance.now() })
  const headers = answerHeaders(request_id, origin, new Set(corsOrigins))
  headers['content-type'] = 'application/problem+json'
  headers['content-length'] = String(Buffer.byteLength(body))
  headers['cache-control'] = 'no-store'
  return { status, headers, body }
}

interface UnreadableWhy {
  readonly refusal: Problem
  readonly ports: UnreadablePorts
}

function refuseTo(request: IncomingMessage, response: ServerResponse, why: UnreadableWhy): void {
  const { status, headers, body } = refusal(knownOf(request), why.refusal, why.ports)
  response.writeHead(status, headers)
  response.end(body)
}

/** Writes the response to the socket, if there is no response object. */
function raw(socket: Duplex, { status, headers, body }: RawRefusal): void {
  const lines = Object.entries({ ...headers, connection: 'close' }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${body}`)
}

function knownOf({ method = '', url = '', headers }: IncomingMessage): Known {
  const id = headers['x-request-id']
  return {
    ...{ method, origin: headers.origin },
    path: pathOf(url),
    sentId: typeof id === 'string' ? id : undefined,
  }
}

/**
 * Whether a response must not be written to this connection. One has already started, and a second one would be read as
 * part of it (Node checks the same field); or the client disconnected in the middle of a request, which is handled
 * where the body is read.
 */
function isTaken(
  socket: Duplex & { readonly _httpMessage?: ServerResponse | null },
  code: string | undefined,
): boolean {
  const response = socket._httpMessage ?? null
  return response !== null && (response.headersSent || code === 'HPE_INVALID_EOF_STATE')
}
