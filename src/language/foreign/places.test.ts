import { describe, expect, it } from 'vitest'
import { openPlaces, placeNamed } from '../places/places.ts'
import { placesIn } from './places.ts'

describe('places by their names in other languages', () => {
  it.each([
    ['de', 'Vereinigte Staaten', 'United States'],
    ['de', 'Großbritannien', 'United Kingdom'],
    ['de', 'Köln', 'Cologne'],
    ['it', 'Roma', 'Rome'],
    ['fr', 'Londres', 'London'],
    ['ru', 'Москва', 'Moscow'],
    ['ar', 'الولايات المتحدة', 'United States'],
    ['zh', '美国', 'United States'],
    ['ja', 'ロンドン', 'London'],
    ['hi', 'चीन', 'China'],
  ])('in %s: %s is %s', (language, written, name) => {
    expect(placeNamed(placesIn(language), written)?.name).toBe(name)
  })

  it.each([
    ['ru', 'Москве', 'Moscow'],
    ['ru', 'Лондоном', 'London'],
    ['ru', 'Соединенных Штатов', 'United States'],
    ['pl', 'Londynie', 'London'],
    ['cs', 'Londýna', 'London'],
    ['hr', 'Srbiji', 'Serbia'],
    ['fi', 'Lontoossa', 'London'],
    ['hu', 'Londonban', 'London'],
    ['tr', 'Londra da', 'London'],
    ['ar', 'وفرنسا', 'France'],
    ['zh', '在中国', 'China'],
    ['zh', '美国的', 'United States'],
    ['zh', '亚利桑那州', 'Arizona'],
    ['ja', 'アラスカ州', 'Alaska'],
    ['hi', 'यू.एस', 'United States'],
    ['ko', '중국은', 'China'],
  ])('in %s, which inflects names: %s is %s', (language, written, name) => {
    expect(placeNamed(placesIn(language), written)?.name).toBe(name)
  })

  it('mean the place that has the name in English, where there is one', () => {
    const places = openPlaces()
    const others = [...places.keys()].filter((key) => placesIn('de').get(key) !== places.get(key))

    expect(others).toEqual([])
  })
})
