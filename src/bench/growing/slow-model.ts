import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { z } from 'zod'

/** The time that the simulated model takes per text of a request (embeddings only; names are answered at once). */
const MS_A_TEXT = 40
const DIM = 384

const EmbedRequest = z.object({ inputs: z.union([z.string(), z.array(z.string())]) })

/**
 * Simulates a model that takes time but no CPU, like a model on other machines. So a benchmark on two cores can show
 * whether more processes help. Its vectors are derived from the words of a text and have no further meaning.
 */
export async function slowModel() {
  const server = createServer((request, response) => {
    answer(request).then(
      (body) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
      () => response.writeHead(400).end(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  return {
    /** Responds like text-embeddings-inference. */
    encoder: `${url}/vectors`,
    /** Responds like token classification on the Hugging Face Hub, without any names. */
    tagger: `${url}/names`,
    close: () => closed(server),
  }
}

async function answer(request: IncomingMessage): Promise<unknown> {
  const { inputs } = EmbedRequest.parse(await json(request))
  if (request.url === '/names') return []
  const texts = typeof inputs === 'string' ? [inputs] : inputs
  await setTimeout(MS_A_TEXT * texts.length)
  return texts.map(vectorOf)
}

/** Counts of words by length and first letter, scaled to unit length. */
function vectorOf(text: string): readonly number[] {
  const counts = new Array<number>(DIM).fill(0)
  for (const word of text.split(/\s+/)) {
    const at = ((word.codePointAt(0) ?? 0) * 31 + word.length) % DIM
    counts[at] = (counts[at] ?? 0) + 1
  }
  const norm = Math.hypot(...counts) || 1
  return counts.map((count) => count / norm)
}

const closed = async (server: Server): Promise<void> => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
}
