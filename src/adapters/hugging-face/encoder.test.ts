import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, it } from 'vitest'
import { huggingFaceEncoder } from './encoder.ts'

let server: Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

async function anEndpoint(handle: RequestListener, timeoutMs = 5_000) {
  const listening = createServer(handle)
  server = listening
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve))
  const { port } = listening.address() as AddressInfo
  return huggingFaceEncoder({ url: `http://127.0.0.1:${port}/embed`, token: 'secret', model: 'a/model', timeoutMs })
}

const answering =
  (answer: unknown, status = 200): RequestListener =>
  (request, response) => {
    request.resume()
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  }
const constant = (value: number) => Array.from({ length: 384 }, () => value)

describe('an endpoint', () => {
  it('is asked at its exact address, with its token, in calls of at most 32 texts', async () => {
    const seen: { url: string | undefined; token: string | undefined; texts: number }[] = []
    const encoder = await anEndpoint((request, response) => {
      void text(request).then((body) => {
        const { inputs } = JSON.parse(body) as { inputs: string[] }
        seen.push({ url: request.url, token: request.headers.authorization, texts: inputs.length })
        answering(inputs.map((input) => constant(Number(input)).with(0, 1)))(request, response)
      })
    })

    const vectors = await encoder.sentences(Array.from({ length: 70 }, (_, i) => String(i)))

    expect(seen.map(({ texts }) => texts).sort()).toEqual([32, 32, 6])
    expect(new Set(seen.map(({ url, token }) => `${url ?? ''} ${token ?? ''}`))).toEqual(
      new Set(['/embed Bearer secret']),
    )
    expect(vectors.map((vector) => Math.round((vector[1] ?? 0) / (vector[0] ?? 1)))).toEqual(
      Array.from({ length: 70 }, (_, i) => i),
    )
  })

  it('may give vectors of any length: they become unit vectors', async () => {
    const encoder = await anEndpoint(answering([constant(7)]))

    const [vector] = await encoder.sentences(['x'])

    expect(Math.hypot(...(vector ?? []))).toBeCloseTo(1, 5)
  })

  it.each([
    ['too few vectors', [], '0 vectors for 1 texts'],
    ['short vectors', [[1, 2, 3]], 'vectors of 384 numbers'],
    ['word vectors', [[constant(1)]], 'vectors of 384 numbers'],
    ['no vectors', { error: 'nothing' }, 'returned no vectors'],
    ['numbers that are none', [constant(1).with(3, Number.NaN)], 'returned no vectors'],
    ['a vector of zeros', [constant(0)], 'of length zero'],
  ])('that answers %s is told so', async (_, answer, message) => {
    const encoder = await anEndpoint(answering(answer))

    await expect(encoder.sentences(['x'])).rejects.toThrow(message)
  })

  it.each([500, 503, 429, 413])('that answers %i throws at once, to be tried again', async (status) => {
    let calls = 0
    const encoder = await anEndpoint((request, response) => {
      calls++
      answering({ error: 'busy' }, status)(request, response)
    })

    await expect(encoder.leads([{ title: 't', body: 'b' }])).rejects.toThrow('did not answer')
    expect(calls).toBe(1)
  })

  it('that does not answer in time throws', async () => {
    const encoder = await anEndpoint(() => undefined, 50)

    await expect(encoder.sentences(['x'])).rejects.toThrow('did not answer')
  })
})
