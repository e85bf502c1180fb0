import { z } from '@hono/zod-openapi'
import type { Serve } from '../http/app.ts'
import type { Dependencies } from '../http/dependencies.ts'
import { currentRequestId } from '../http/request-context.ts'
import { defineRoute, type Route } from '../http/route.ts'
import type { RestGet } from './tool.ts'

/** A message is a tool's name with its arguments. */
const MAX_BYTES = 64 * 1024

const optional = z.string().optional()

/**
 * The Model Context Protocol for AI assistants (Streamable HTTP, stateless). Tools call the REST routes of this process
 * with the caller's key, so tiers, scopes, rate limits and namespaces are those of REST. The protocol's packages are
 * loaded on the first message.
 */
export const mcpRoutes = ({ version, logger }: Dependencies, serve: Serve): readonly Route[] => [
  defineRoute(
    {
      ...{ method: 'post', path: '/mcp', tag: 'Service', summary: 'Tools for AI assistants (MCP)' },
      ...{ tier: 'starter', scope: 'read', cost: 'request', status: 200 },
      forPeople: true,
      relayed: true,
      checksOrigin: true,
      maxBodyBytes: MAX_BYTES,
      request: {
        headers: z.object({
          Authorization: optional,
          Accept: optional,
          'Content-Type': optional,
          'MCP-Protocol-Version': optional,
        }),
        body: z.looseObject({}), // one message: batches are not part of the protocol since 2025-06-18
      },
      answer: z.unknown(),
    },
    async ({ headers, body }) => {
      const { Authorization: authorization = '', ...sent } = headers
      const { answerMessage } = await import('./server.ts')
      const request = new Request('http://localhost/mcp', { method: 'POST', headers: givenHeaders(sent) })
      const onDefect = (err: unknown): void => logger.error({ request_id: currentRequestId(), err }, 'internal_error')
      return answerMessage(request, body, { get: inProcess(serve, authorization), version, onDefect })
    },
  ),
]

const givenHeaders = (sent: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(sent).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))

/** Calls routes of this process. The request id of the message is kept, so that log lines can be related. */
function inProcess(serve: Serve, authorization: string): RestGet {
  const headers = givenHeaders({ authorization, 'x-request-id': currentRequestId() })
  return async (target) => {
    const response = await serve(new Request(`http://localhost${target}`, { headers }))
    return { status: response.status, body: await response.json() }
  }
}
