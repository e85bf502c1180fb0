import { expect, it } from 'vitest'
import { asJsonLines } from './labelled-file.ts'
import { scoreLanguages } from './language.ts'

const GERMAN = 'Die Regierung teilte am Dienstag mit, dass die Gespräche nächste Woche fortgesetzt werden.'
const file = (...rows: readonly object[]): Buffer => Buffer.from(asJsonLines(rows))

it('scores titles alone and articles by their labelled language', async () => {
  const found = await scoreLanguages(
    file(
      { id: 'a', language: 'de', title: 'Regierung setzt die Gespräche fort', text: GERMAN },
      { id: 'b', language: 'de', title: '2018', text: GERMAN },
    ),
  )

  expect(found).toMatchObject({ n: 2, titles: 0.5, articles: 1 })
  expect(found.predictions).toBe(
    asJsonLines([
      { id: 'a', title_language: 'de', language: 'de' },
      { id: 'b', title_language: 'und', language: 'de' },
    ]),
  )
})

it('answers for articles without a label, and does not score them', async () => {
  const found = await scoreLanguages(file({ id: 'a', title: 'Title', text: GERMAN }))

  expect(found.n).toBe(0)
  expect(found.predictions).toContain('"language":"de"')
})
