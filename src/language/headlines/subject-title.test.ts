import { expect, it } from 'vitest'
import { termWeights } from '../../wiring/summary-model.ts'
import { subjectTitle } from './subject-title.ts'

const weigh = termWeights()
const named = (name: string, article_count: number) => ({ name, article_count })

it('names what most articles name and what most headlines say, rare names first', () => {
  const headlines = [
    'Kavanaugh hearing begins with Senate protests',
    'Why the Kavanaugh hearing matters',
    'Brett Kavanaugh and the Senate: what to know',
    'I watched the hearing so you need not',
  ]
  const entities = [named('Donald Trump', 4), named('Brett Kavanaugh', 9), named('Maine', 2)]

  expect(subjectTitle({ headlines, entities, article_count: 10 }, weigh)).toBe('Brett Kavanaugh: hearing, Senate')
})

it('says nothing twice, whether as a name or as a word', () => {
  const headlines = ['Coronavirus: schools close', 'Coronavirus cases rise', 'The coronavirus and us']

  expect(subjectTitle({ headlines, entities: [named('Coronavirus', 3)], article_count: 3 }, weigh)).toBe('Coronavirus')
})

it('is empty where nothing is frequent', () => {
  expect(subjectTitle({ headlines: ['One thing', 'Another'], entities: [], article_count: 2 }, weigh)).toBe('')
})
