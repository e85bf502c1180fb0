import { describe, expect, it } from 'vitest'
import type { EntityType } from '../../events/articles.ts'
import { inEnglish } from './english-names.ts'
import { romanised, soundKey } from './sound-key.ts'

const english = (language: string, type: EntityType, ...surfaces: string[]) =>
  inEnglish(
    surfaces.map((surface) => ({ type, surface })),
    language,
  )

describe('names of persons', () => {
  it('are known ones where first and last name sound the same', () => {
    expect(english('ru', 'PERSON', 'Дональд Трамп', 'Ангелы Меркель', 'Барака Обамы')).toEqual([
      'Donald Trump',
      'Angela Merkel',
      'Barack Obama',
    ])
    expect(english('sr', 'PERSON', 'Donald Tramp', 'Доналд Трамп')).toEqual(['Donald Trump', 'Donald Trump'])
    expect(english('hi', 'PERSON', 'डोनाल्ड ट्रम्प')).toEqual(['Donald Trump'])
  })

  it('are known ones by a table in scripts that do not write their sound', () => {
    expect(english('zh', 'PERSON', '特朗普')).toEqual(['Donald Trump'])
    expect(english('ar', 'PERSON', 'نتنياهو')).toEqual(['Benjamin Netanyahu'])
  })

  it('are spelled as English spells them where the first name is English', () => {
    expect(english('ru', 'PERSON', 'Грег Кларк', 'Николаса Клевеса')).toEqual(['Greg Clark', 'Nikolas Kleves'])
    expect(english('ru', 'PERSON', 'Сергей Шойгу', 'Джеффа Дила')).toEqual(['Sergei Shoigu', 'Jeff Dil'])
  })

  it('keep initials, and first names in the nominative', () => {
    expect(english('ru', 'PERSON', 'В. Путин', 'Алексей Кудрин', 'Андрей Белоусов')).toEqual([
      'V. Putin',
      'Aleksey Kudrin',
      'Andrey Belousov',
    ])
    expect(english('bg', 'PERSON', 'Румен Радев')).toEqual(['Rumen Radev'])
  })

  it('are not those of a known person with a similar name', () => {
    expect(english('de', 'PERSON', 'John Kerr', 'Paula Ryan', 'Maria Draghi')).toEqual([
      'John Kerr',
      'Paula Ryan',
      'Maria Draghi',
    ])
    expect(english('ru', 'PERSON', 'Мария Драги')).toEqual(['Maria Dragi'])
  })

  it('keep endings that surnames have themselves', () => {
    expect(english('ru', 'PERSON', 'Сайфулло Саипова', 'Саипов')).toEqual(['Sayfullo Saipov', 'Saipov'])
  })

  it('stay as they are in Latin letters, and where letters do not give the sound', () => {
    expect(english('de', 'PERSON', 'Jürgen Klopp')).toEqual(['Jürgen Klopp'])
    expect(english('ja', 'PERSON', '山田太郎')).toEqual(['山田太郎'])
  })

  it('are the name that the article gives in full where it gives a surname alone', () => {
    expect(english('ru', 'PERSON', 'Дональда Трампа', 'Трамп', 'Трампом')).toEqual(['Donald Trump', 'Trump', 'Trump'])
  })

  it('are those of a known person whose surname alone is spelled like it', () => {
    expect(english('uk', 'PERSON', 'Трампу')).toEqual(['Donald Trump'])
    expect(english('el', 'PERSON', 'Τραμπ')).toEqual(['Donald Trump'])
  })

  it.each([
    ['ru', 'Мартин', 'Картер', 'Горбунов', 'Кудряшов', 'Маслов', 'Мартынов', 'Селезнев', 'Иванов'],
    ['hr', 'Mlakar', 'Mrkela', 'Carter'],
    ['ar', 'سليمان', 'مارتن', 'كارتر'],
    ['he', 'מרטין'],
  ])('are not those of a known person with other letters: %s', (language, ...names) => {
    for (const name of english(language, 'PERSON', ...names)) expect(name).not.toContain(' ')
  })

  it('are one name in all cases that an article uses', () => {
    expect(english('ru', 'PERSON', 'Шойгу', 'Лавров', 'Лаврова', 'Лаврову')).toEqual([
      'Sergei Shoigu',
      'Sergei Lavrov',
      'Sergei Lavrov',
      'Sergei Lavrov',
    ])
    expect(english('ru', 'PERSON', 'Клевес', 'Клевеса', 'Клевесу')).toEqual(['Kleves', 'Kleves', 'Kleves'])
  })
})

it('gives organisations their English names', () => {
  expect(english('fr', 'ORG', 'ONU', 'Maison-Blanche')).toEqual(['United Nations', 'White House'])
  expect(english('ru', 'ORG', 'ЕС', 'Белого дома', 'Росатом')).toEqual(['European Union', 'White House', 'Rosatom'])
})

it('leaves places to the table of places, finds others by their sound, and writes the rest in Latin letters', () => {
  expect(english('ru', 'GPE', 'Москве', 'Массачусетсе', 'Шурышкары')).toEqual([
    'Москве',
    'Massachusetts',
    'Shuryshkary',
  ])
})

describe('the sound of a name', () => {
  it.each([
    ['Trump', 'Трамп', 'Tramp', 'ترامب', 'トランプ'],
    ['Merkel', 'Меркель', 'ميركل', 'メルケル', '메르켈'],
    ['Hillary Clinton', 'Хиллари Клинтон', 'هيلاري كلينتون'],
    ['Johnson', 'Джонсон'],
  ])('%s is the same in other scripts', (name, ...others) => {
    for (const other of others) expect(soundKey(other)).toBe(soundKey(name))
  })

  it('differs for names with other consonants', () => {
    expect(soundKey('Macron')).not.toBe(soundKey('Merkel'))
  })
})

it('writes names in Latin letters', () => {
  expect(romanised('Алексис Ципрас')).toBe('Aleksis Tsipras')
})
