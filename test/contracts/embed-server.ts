import { createServer, type Server } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Encoder } from '../../src/ports/encoder.ts'

/** Implements text-embeddings-inference's `/embed` with the real model. */
export async function embedServer(encoder: Encoder): Promise<Server> {
  const server = createServer((request, response) => {
    void text(request).then(async (body) => {
      const { inputs } = JSON.parse(body) as { inputs: string[] }
      const tooMany = inputs.length > 32
      const answer = tooMany
        ? { error: 'batch too large' }
        : (await encoder.sentences(inputs)).map((vector) => [...vector])
      response.writeHead(tooMany ? 413 : 200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}
