import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { z } from 'zod'

/** The model that stands in for a slow one: how long it takes for each text of a request. */
const MS_A_TEXT = 40
const DIM = 384

const EmbedRequest = z.object({ inputs: z.union([z.string(), z.array(z.string())]) })

/**
 * A model that takes its time and no CPU, as one on machines of its own does: what more processes bring then shows on two
 * cores. A stand-in of the bench; its vectors follow from the words of a text and mean no more than that.
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
    /** Answers as text-embeddings-inference does. */
    encoder: `${url}/vectors`,
    /** Answers as the hub's token classification does: no names. */
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

/** Counts of words by their length and first letter, unit length. */
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
