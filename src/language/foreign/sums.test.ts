import { expect, it } from 'vitest'
import { sumsIn } from './sums.ts'

const found = (text: string) => sumsIn(text, { start: 0, end: text.length }).map(({ name }) => name)

it.each([
  ['Die Regierung gibt 4,5 Milliarden Euro aus.', 'EUR 4500000000'],
  ['Das Haus kostet 1.200.000 Euro.', 'EUR 1200000'],
  ["Un budget de 3 millions d'euros.", 'EUR 3000000'],
  ['Gastó 150 000 dólares.', 'USD 150000'],
  ['Vale 20 milhões de dólares.', 'USD 20000000'],
  ['Costa 5 miliardi di dollari.', 'USD 5000000000'],
  ['Бюджет составил 5 млрд рублей.', 'RUB 5000000000'],
  ['Це коштує 2 мільйони доларів.', 'USD 2000000'],
  ['Kosztuje 300 tys. złotych.', 'PLN 300000'],
  ['価格は3億円だった。', 'JPY 300000000'],
  ['投资20亿美元。', 'USD 2000000000'],
  ['بلغت 5 ملايين دولار', 'USD 5000000'],
  ['Het kost 12 miljoen euro.', 'EUR 12000000'],
  ['Er zahlte $200.', 'USD 200'],
  ['1,200億円の投資', 'JPY 120000000000'],
  ['4,500만 달러를', 'USD 45000000'],
])('%s', (text, sum) => {
  expect(found(text)).toEqual([sum])
})

it.each([
  'Er kam mit 3 Freunden.',
  'Euro 2016',
  '5 мая 2016 года',
  'Il a écrit 12 livres.',
  'Nel 2016 lei ha detto di no.',
  'En 2018 Real Madrid ganó.',
  '2018元旦假期',
  '3원칙을 지킨다',
  '3亿5000万美元', // a compound is left out, not misread
])('finds no sum in: %s', (text) => {
  expect(found(text)).toEqual([])
})
