import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, expect, it } from 'vitest'
import { TAGS } from '../../language/recogniser/tags.ts'
import { sentenceAt } from '../../language/recogniser/words.ts'
import { huggingFaceTagger } from './tagger.ts'

/** A sentence of the given words, separated by spaces. */
const sentenceOfWords = (texts: readonly string[]) => sentenceAt(texts.join(' '), 0, texts.join(' ').length)

let server: Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

async function aTagger(handle: RequestListener, timeoutMs = 5_000) {
  const listening = createServer(handle)
  server = listening
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve))
  const { port } = listening.address() as AddressInfo
  return huggingFaceTagger({ url: `http://127.0.0.1:${port}/ner`, token: 'secret', model: 'a/model', timeoutMs })
}

const names = (tags: readonly Uint8Array[]): string[][] => tags.map((row) => [...row].map((tag) => TAGS[tag] ?? '?'))

/** Answers each sentence with the group of a name in it. */
const finding =
  (found: Readonly<Record<string, string>>): RequestListener =>
  (request, response) => {
    void text(request).then((body) => {
      const { inputs } = JSON.parse(body) as { inputs: string }
      const groups = Object.entries(found).flatMap(([word, entity_group]) => {
        const start = inputs.indexOf(word)
        return start < 0 ? [] : [{ entity_group, score: 0.9, word, start, end: start + word.length }]
      })
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(groups))
    })
  }

it('gives the words of each group their tags, sentence by sentence', async () => {
  const tagger = await aTagger(finding({ 'Angela Merkel': 'PER', Berlin: 'GPE', Monday: 'DATE' }))

  const tags = await tagger.tags(
    [['On', 'Monday', 'Angela', 'Merkel', 'left', 'Berlin', '.'], [], ['Nothing']].map(sentenceOfWords),
  )

  expect(names(tags)).toEqual([['O', 'O', 'B-PER', 'I-PER', 'O', 'B-LOC', 'O'], [], ['O']])
})

it('counts places in characters as the endpoint does: an emoji is one', async () => {
  const tagger = await aTagger((request, response) => {
    request.resume()
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify([{ entity_group: 'LOC', score: 1, word: 'Oslo', start: 7, end: 11 }]))
  })

  expect(names(await tagger.tags([['😀', '😀', 'in', 'Oslo', '.']].map(sentenceOfWords)))).toEqual([
    ['O', 'O', 'O', 'B-LOC', 'O'],
  ])
})

it.each([
  ['nothing at all', null, 'returned no names'],
  ['single tokens', [{ entity: 'B-PER', word: 'x', score: 1 }], 'returned no names'],
])('of an endpoint that answers %s throws', async (_, answer, message) => {
  const tagger = await aTagger((request, response) => {
    request.resume()
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  })

  await expect(tagger.tags([['x']].map(sentenceOfWords))).rejects.toThrow(message)
})

it('throws when nobody answers in time, to be tried again', async () => {
  const tagger = await aTagger(() => undefined, 50)

  await expect(tagger.tags([['x']].map(sentenceOfWords))).rejects.toThrow('did not answer')
})
