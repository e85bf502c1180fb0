import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Registry {
  readonly url: string
  readonly stop: () => Promise<void>
}

/** A schema registry that knows some schemas by their ids, and nothing else. */
export async function aRegistry(schemas: ReadonlyMap<number, string>): Promise<Registry> {
  const server = createServer((request, response) => {
    const schema = schemas.get(Number(/^\/schemas\/ids\/(\d+)/.exec(request.url ?? '')?.[1]))
    response.writeHead(schema === undefined ? 404 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(schema === undefined ? { error_code: 40403, message: 'no such schema' } : { schema }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
