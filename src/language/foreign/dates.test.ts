import { describe, expect, it } from 'vitest'
import { datesIn } from './dates.ts'

/** A Monday. */
const PUBLISHED = Date.UTC(2018, 9, 1, 12)
const found = (language: string, text: string, published: number | null = PUBLISHED) =>
  datesIn(text, { start: 0, end: text.length }, { language, published }).map(({ name, start, end }) => [
    text.slice(start, end),
    name,
  ])

describe('dates in other languages', () => {
  it.each([
    ['de', 'Das geschah am 3. Mai 2016 in Bonn.', 'am 3. Mai 2016', '2016-05-03'],
    ['fr', 'Il est mort le 3 mai 2016.', '3 mai 2016', '2016-05-03'],
    ['es', 'Fue en marzo de 2017.', 'marzo de 2017', '2017-03'],
    ['pt', 'Chegou em 1 de outubro de 2018.', '1 de outubro de 2018', '2018-10-01'],
    ['it', 'È successo ieri.', 'ieri', '2018-09-30'],
    ['nl', 'Het was gisteren.', 'gisteren', '2018-09-30'],
    ['ru', 'Это было 1 октября 2018 года.', '1 октября 2018 года', '2018-10-01'],
    ['uk', 'Це було 1 жовтня 2018 року.', '1 жовтня 2018 року', '2018-10-01'],
    ['sv', 'Det var 3 maj 2016.', '3 maj 2016', '2016-05-03'],
    ['fi', 'Se tapahtui 1. lokakuuta 2018.', '1. lokakuuta 2018', '2018-10-01'],
    ['zh', '他在2018年9月去世。', '2018年9月', '2018-09'],
    ['ja', '10月1日に起きた。', '10月1日', '2018-10-01'],
    ['vi', 'Vào ngày 1 tháng 10 năm 2018.', 'ngày 1 tháng 10 năm 2018', '2018-10-01'],
    ['cs', 'Stalo se to v roce 2016.', '2016', '2016'],
  ])('%s: %s', (language, text, written, name) => {
    expect(found(language, text)).toEqual([[written, name]])
  })

  it('are before the publication where only the weekday is given', () => {
    expect(found('de', 'Er kam am Dienstag.')).toEqual([['am Dienstag', '2018-09-25']])
  })

  it('are left as written where the publication date is needed and not known', () => {
    expect(found('de', 'Er kam am 3. Mai.', null)).toEqual([['am 3. Mai', 'am 3. Mai']])
    expect(found('de', 'Er kam am 3. Mai 2016.', null)).toEqual([['am 3. Mai 2016', '2016-05-03']])
  })

  it('are not resolved without a publication date, even where the library takes today', () => {
    expect(found('zh', '他周六下午到。', null)).toEqual([['周六下午', '周六下午']])
  })

  it('are in the calendar: an endless count of weeks is no date', () => {
    for (const text of ['in 14283199 Wochen', 'vor 999999 Wochen', '15. März 44 v. Chr.'])
      expect(found('de', text)).toEqual([])
  })

  it('lie ahead where the text says so', () => {
    expect(found('de', 'Er kommt nächsten Montag.')).toEqual([['nächsten Montag', '2018-10-08']])
  })

  it('are not looked for in a list of numbers', () => {
    expect(found('nl', '1 jaar '.repeat(100))).toEqual([])
  })

  it('are no short words that look like weekdays', () => {
    expect(found('de', 'Er kam, so sagte er, mit dem Zug.')).toEqual([])
  })

  it('do not include times of day', () => {
    expect(found('de', 'Er kam um 15 Uhr.')).toEqual([])
  })
})
