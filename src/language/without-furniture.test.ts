import { describe, expect, it } from 'vitest'
import { leastCpuMs } from '../../test/builders/cpu.ts'
import { A_REPORT } from '../../test/builders/articles.ts'
import { withoutFurniture } from './without-furniture.ts'

const PARAGRAPHS = A_REPORT.split('\n\n')

describe('a whole sentence is never furniture', () => {
  it.each([
    'From Monday, residents must pay to park in the centre.',
    'Live music is banned in pubs after ten at night.',
    'Analysis shows the bridge is unsafe.',
    'Analysis: the bridge is unsafe, and the council knew it.',
    'Watch sales rose by a third in Geneva.',
    'Mon nouveau livre parle de 1968, de Paris et de nous',
    '2016 was the year in which the town lost its harbour, its mayor and its bridge',
    'Published figures show that the town has lost a third of its people since the war',
    'Getty Images sued a rival on Monday over stolen pictures.',
    'Picture the scene: a town without a single car.',
    'Photo by photo, the committee went through the evidence.',
    'By Friday the council has to name the streets that will be closed:',
  ])('in front: %s', (sentence) => {
    expect(withoutFurniture(`${sentence}\n\n${A_REPORT}`)).toEqual([sentence, ...PARAGRAPHS])
  })

  it.each([
    'Writing by candlelight, she finished the book in May.',
    'Reporting by The Associated Press showed last year that forty homes were unsafe.',
    'Copyright law will change next year, the minister said.',
    'The letters may not be published until 2050, the court ruled.',
    'Smoking, heat and age all contributed.',
    'Follow the money, investigators like to say.',
    'Related companies were fined as well.',
    'More from the same owner is to come.',
    'Read more books, the minister told pupils.',
    'With assistance from neighbours she rebuilt the house.',
    'Via Appia was closed on Sunday.',
    'Write to your deputy, he urged.',
    'Originally published in 1922, the novel sold a million.',
    'Distributed by volunteers, the leaflets warned of floods.',
    'Reuters reporters saw tanks in the square on Friday.',
    'This report was provided by a clerk, the court heard.',
  ])('behind: %s', (sentence) => {
    expect(withoutFurniture(`${A_REPORT}\n\n${sentence}`)).toEqual([...PARAGRAPHS, sentence])
  })

  it('nor is its subject, where an agency stands behind it in brackets', () => {
    const sentence = 'The British Broadcasting Corporation (BBC) will cut five hundred jobs.'

    expect(withoutFurniture(sentence)).toEqual([sentence])
  })
})

describe('furniture is', () => {
  it.each([
    'Source: Reuters',
    'Watch: The bridge in ten pictures',
    'March 4, 2017 / 4:15 PM / Updated 2 hours ago',
    'Published 4:15 PM EST, March 4, 2017 | Updated 6:02 PM EST on Sunday, March 5, 2017',
    'Posted by Jane Doe of the Example Times and the Harbour News Service, on 3 May at noon',
    '(AP Photo/Jane Doe)',
    'Photo by Jane Doe/Getty Images.',
    'Image: A man looks at the closed bridge on a cold morning in the town of Tamsin.',
  ])('in front: %s', (line) => {
    expect(withoutFurniture(`${line}\n\n${A_REPORT}`)).toEqual(PARAGRAPHS)
  })

  it.each([
    'Additional reporting by Jane Doe in Paris and John Roe in Rome.',
    'Reporting By Jane Doe; editing by Max Foe',
    'Jane Doe in Washington and John Roe contributed.',
    'Jane Doe and John Roe contributed reporting from Paris.',
    'Follow Jane Doe on Twitter for more about the bridge and the town of Tamsin.',
    'Related: The mayor says that the bridge will open again in two years.',
    'With assistance from Jane Doe and John Roe.',
    'Associated Press writers Jane Doe in Rome and John Roe in Paris, and photographer Ann Poe, contributed to this report.',
    'Copyright (c) 2016 Example Times. Used with permission.',
  ])('behind: %s', (line) => {
    expect(withoutFurniture(`${A_REPORT}\n\n${line}`)).toEqual(PARAGRAPHS)
  })
})

it('no paragraph takes long to read', () => {
  const awkward = [
    'Reporting by ' + 'Aa, '.repeat(170) + 'x',
    '1'.repeat(109) + 'x',
    '1 '.repeat(54) + 'x',
    'By ' + 'A.'.repeat(60) + '!',
  ]
  const readAll = () => awkward.map((text) => withoutFurniture(`${text}\n\n${A_REPORT}\n\n${text}`))

  expect(leastCpuMs(readAll, 1_000)).toBeLessThan(1_000)
})
