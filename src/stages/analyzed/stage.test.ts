import { expect, it } from 'vitest'
import { aReading, anEncoderDouble } from '../../../test/builders/analyzed.ts'
import { anInput, aScoredArticle } from '../../../test/builders/articles.ts'
import { skip } from '../../runtime/shapes.ts'
import { analyzed, factsOf } from './stage.ts'

const encoder = anEncoderDouble()
const stage = analyzed(aReading(encoder))
const input = (over: Parameters<typeof aScoredArticle>[0] = {}, offset = 0) =>
  anInput(aScoredArticle(over), { topic: 'articles.scored', offset })

it('passes the facts of an article on, its vectors with a byte per component', async () => {
  const article = input()

  const [outcome] = await stage.handle([article])

  if (outcome?.kind !== 'emit') throw new Error('nothing was emitted')
  const events = [...outcome.events]
  expect(events).toHaveLength(1)
  expect(events[0]).toMatchObject({
    ...factsOf(article.event),
    namespace: 'shared',
    occurred_at: article.event.occurred_at,
    caused_by: article.place,
    produced_by: { stage: 'analyzed', version: stage.version },
    direct: false,
  })
  expect([events[0]?.title_vector.dtype, events[0]?.lead_vector.dtype]).toEqual(['i8', 'i8'])
})

it('leaves out what the gate has held back, in the order of the input', async () => {
  encoder.calls.length = 0

  const outcomes = await stage.handle([
    input({ text: 'Angela Merkel spoke.' }, 1),
    input({ forwarded: false, gate_reason: 'below_gate' }, 2),
    input({ text: 'Barack Obama spoke.' }, 3),
  ])

  expect(outcomes.map(({ kind }) => kind)).toEqual(['emit', 'skip', 'emit'])
  expect(outcomes[1]).toEqual(skip('below_gate'))
  expect(encoder.calls).toEqual([['Angela Merkel spoke.'], ['Barack Obama spoke.']])
})

it('emits the same event, id and bytes, when a batch is repeated in other company', async () => {
  const [alone] = await stage.handle([input()])
  const [, together] = await stage.handle([input({ text: 'Something else here.' }, 7), input()])

  expect(together).toEqual(alone)
})

it('does not wake the encoder for nothing', async () => {
  encoder.calls.length = 0

  expect(await stage.handle([])).toEqual([])
  expect(encoder.calls).toEqual([])
})
