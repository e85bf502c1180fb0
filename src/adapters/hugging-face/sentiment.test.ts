import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, expect, it } from 'vitest'
import type { SentenceSentiments } from '../composed-reader.ts'
import { huggingFaceSentiment } from './sentiment.ts'

let server: Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

async function aClassifier(handle: RequestListener, timeoutMs = 5_000): Promise<SentenceSentiments> {
  const listening = createServer(handle)
  server = listening
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve))
  const { port } = listening.address() as AddressInfo
  return huggingFaceSentiment({
    url: `http://127.0.0.1:${port}/classify`,
    token: 'secret',
    model: 'a/model',
    timeoutMs,
  })
}

const answering =
  (labelsOf: (input: string) => unknown): RequestListener =>
  (request, response) => {
    void text(request).then((body) => {
      const { inputs } = JSON.parse(body) as { inputs: string }
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(labelsOf(inputs)))
    })
  }

it('scores P(positive) - P(negative), in the order of the sentences', async () => {
  const classifier = await aClassifier(
    answering((input) => [
      [
        { label: 'positive', score: input.includes('good') ? 0.75 : 0.125 },
        { label: 'neutral', score: 0.125 },
        { label: 'negative', score: input.includes('good') ? 0.125 : 0.75 },
      ],
    ]),
  )

  expect(await classifier.scores(['A good day.', 'A bad day.', ' ', 'Too good.', 'Bad.', 'Bad.'], [])).toEqual([
    0.625, -0.625, 0, 0.625, -0.625, -0.625,
  ])
})

it('knows labels by their numbers, too', async () => {
  const classifier = await aClassifier(answering(() => [[{ label: 'LABEL_0', score: 1 }]]))

  expect(await classifier.scores(['Any.'], [])).toEqual([-1])
})

it.each([
  ['nothing at all', null],
  ['no scores', [[{ label: 'positive' }]]],
])('of an endpoint that answers %s throws', async (_, answer) => {
  const classifier = await aClassifier(answering(() => answer))

  await expect(classifier.scores(['Any.'], [])).rejects.toThrow('The sentiment endpoint')
})

it('of an endpoint that does not answer in time throws', async () => {
  const classifier = await aClassifier(() => undefined, 100)

  await expect(classifier.scores(['Any.'], [])).rejects.toThrow('did not answer')
})
