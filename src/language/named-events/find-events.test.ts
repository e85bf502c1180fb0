import { describe, expect, it } from 'vitest'
import { costOf } from '../../../test/builders/cpu.ts'
import { readFileSync } from 'node:fs'
import { entityId } from '../../events/ids.ts'
import { projectPath } from '../../config/project-path.ts'
import { parseAliases } from '../names/aliases.ts'
import { canonicalNames } from '../names/canonical-names.ts'
import { namedWords } from '../recogniser/named-spans.ts'
import { openQuickFiles } from '../recogniser/quick-tagger.ts'
import { words } from '../recogniser/words.ts'
import { findEvents } from './find-events.ts'
import { openEventTable } from './event-table.ts'

const { files } = openQuickFiles()

const wordsOf = (text: string) => words(text, 0, text.length)

/** Named events of a sentence in which the tagger found nothing: as they are written, and what they are called. */
function events(text: string): string[][] {
  const split = wordsOf(text)
  const [spans = []] = namedWords([{ words: split.texts, tags: [] }], files)
  const surfaces = spans.map(({ start, end }) => text.slice(split.starts[start], split.ends[end - 1]))
  const names = canonicalNames(
    surfaces.map((surface) => ({ type: 'EVENT', surface })),
    files.places,
  )
  return surfaces.map((surface, i) => [surface, names[i]?.name ?? ''])
}

describe('finds and names', () => {
  it.each([
    // wars
    ['He fought in World War II.', 'World War II', 'World War II'],
    ['He fought in the Second World War.', 'Second World War', 'World War II'],
    ['The WWII veteran spoke.', 'WWII', 'World War II'],
    ['After World War Two he came home.', 'World War Two', 'World War II'],
    ['A post-World War I order.', 'World War I', 'World War I'],
    ['The Vietnam War divided America.', 'Vietnam War', 'Vietnam War'],
    ['He opposed the Iraq war.', 'Iraq war', 'Iraq War'],
    ['The Persian Gulf War began.', 'Persian Gulf War', 'Gulf War'],
    ['Since the Korean War ended', 'Korean War', 'Korean War'],
    ['Spies of the Cold War met.', 'Cold War', 'Cold War'],
    ['The Civil War was bloody.', 'Civil War', 'Civil War'],
    ['The American Civil War was bloody.', 'American Civil War', 'American Civil War'],
    ['The Syrian civil war', null, null],
    ['The Second Ivorian Civil War began.', 'Second Ivorian Civil War', 'Second Ivorian Civil War'],
    ['The Russo-Turkish War of old', 'Russo-Turkish War', 'Russo-Turkish War'],
    ['The Iran–Iraq War lasted years.', 'Iran–Iraq War', 'Iran-Iraq War'],
    ['The Six-Day War changed borders.', 'Six-Day War', 'Six-Day War'],
    ['The Thirty Years’ War ended.', 'Thirty Years’ War', "Thirty Years' War"],
    ['They lost the Battle of the Bulge.', 'Battle of the Bulge', 'Battle of the Bulge'],
    ['It was called Operation Barbarossa.', 'Operation Barbarossa', 'Operation Barbarossa'],
    // Olympic and other games
    ['The Olympic Games open.', 'Olympic Games', 'Olympic Games'],
    ['The Olympics were postponed.', 'Olympics', 'Olympic Games'],
    ['The 2016 Summer Olympics closed.', '2016 Summer Olympics', '2016 Summer Olympics'],
    ['The 2012 Summer Olympics closed.', '2012 Summer Olympics', '2012 Summer Olympics'],
    ['Brazil hosted the Rio Olympics.', 'Rio Olympics', '2016 Summer Olympics'],
    ['At the 2016 Rio Olympics', '2016 Rio Olympics', '2016 Summer Olympics'],
    ['At the 2016 Olympics in Rio', '2016 Olympics', '2016 Summer Olympics'],
    ['At the Rio 2016 Olympic Games', 'Rio 2016 Olympic Games', '2016 Summer Olympics'],
    ['Gold at Rio 2016 was hers.', 'Rio 2016', '2016 Summer Olympics'],
    ['The London Olympics were a success.', 'London Olympics', '2012 Summer Olympics'],
    ['The 1948 London Olympics', '1948 London Olympics', '1948 Summer Olympics'],
    ['The Beijing Winter Olympics', 'Beijing Winter Olympics', '2022 Winter Olympics'],
    ['The Beijing Olympics', 'Beijing Olympics', 'Beijing Olympics'],
    ['Russia spent billions on the Sochi Games.', 'Sochi Games', '2014 Winter Olympics'],
    ['The Winter Olympics in Korea', 'Winter Olympics', 'Winter Olympics'],
    ['The 2018 Winter Games in Korea', '2018 Winter Games', '2018 Winter Olympics'],
    ['The Rio Paralympics followed.', 'Rio Paralympics', '2016 Summer Paralympics'],
    ['The 2018 Youth Olympics', '2018 Youth Olympics', '2018 Youth Olympics'],
    ['The 2022 Asian Games', '2022 Asian Games', '2022 Asian Games'],
    // cups, championships, matches
    ['France won the 2018 FIFA World Cup.', '2018 FIFA World Cup', '2018 FIFA World Cup'],
    ['France won the 2018 World Cup.', '2018 World Cup', '2018 FIFA World Cup'],
    ['France won the World Cup 2018.', 'World Cup 2018', '2018 FIFA World Cup'],
    ['The 2019 Rugby World Cup', '2019 Rugby World Cup', '2019 Rugby World Cup'],
    ['The Cricket World Cup begins.', 'Cricket World Cup', 'Cricket World Cup'],
    ['The Women’s World Cup begins.', 'Women’s World Cup', "FIFA Women's World Cup"],
    ['The World Cup semi-final', 'World Cup', 'World Cup'],
    ['Portugal won Euro 2016.', 'Euro 2016', 'UEFA Euro 2016'],
    ['The Patriots won Super Bowl LI.', 'Super Bowl LI', 'Super Bowl LI'],
    ['The Patriots won Super Bowl 51.', 'Super Bowl 51', 'Super Bowl LI'],
    ['Denver won Super Bowl 50.', 'Super Bowl 50', 'Super Bowl 50'],
    ['The Super Bowl champions', 'Super Bowl', 'Super Bowl'],
    ['DRAW FOR 1998 WORLD CUP', '1998 WORLD CUP', '1998 FIFA World Cup'],
    // storms
    ['Hurricane Katrina hit the coast.', 'Hurricane Katrina', 'Hurricane Katrina'],
    ['Typhoon Haiyan killed thousands.', 'Typhoon Haiyan', 'Typhoon Haiyan'],
    ['Super Typhoon Mangkhut came.', 'Super Typhoon Mangkhut', 'Typhoon Mangkhut'],
    ['Tropical Storm Harvey stalled.', 'Tropical Storm Harvey', 'Hurricane Harvey'],
    ['Superstorm Sandy flooded the subway.', 'Superstorm Sandy', 'Hurricane Sandy'],
    ['Cyclone Idai struck Beira.', 'Cyclone Idai', 'Cyclone Idai'],
    // summits and conferences
    ['Leaders met at the G20 summit.', 'G20 summit', 'Group of 20 summit'],
    ['Leaders met at the G-7 Summit.', 'G-7 Summit', 'G7 summit'],
    ['The 2017 BRICS summit', '2017 BRICS summit', '2017 BRICS summit'],
    ['The ninth annual BRICS summit', 'ninth annual BRICS summit', '9th BRICS summit'],
    ['The NATO summit opens.', 'NATO summit', 'NATO summit'],
    ['The Singapore summit failed.', 'Singapore summit', 'Singapore summit'],
    ['The deal of COP21 holds.', 'COP21', 'COP21'],
    ['The talks at COP 26', 'COP 26', 'COP26'],
    // elections
    ['He lost the 2016 presidential election.', '2016 presidential election', '2016 presidential election'],
    ['The 2016 election was close.', '2016 election', '2016 election'],
    [
      'The 2016 US presidential election was close.',
      '2016 US presidential election',
      '2016 United States presidential election',
    ],
    [
      'The 2016 U.S. presidential elections were close.',
      '2016 U.S. presidential elections',
      '2016 United States presidential election',
    ],
    ['The 2017 French presidential election', '2017 French presidential election', '2017 French presidential election'],
    [
      'The February 1974 United Kingdom general election',
      'February 1974 United Kingdom general election',
      'February 1974 United Kingdom general election',
    ],
    ['The 2018 midterms are near.', '2018 midterms', '2018 midterm elections'],
    ['The midterm elections are near.', 'midterm elections', 'midterm elections'],
    ['Her 2016 Democratic primary', '2016 Democratic primary', '2016 Democratic primaries'],
    ['The Brexit referendum divided voters.', 'Brexit referendum', 'Brexit referendum'],
    ['The EU referendum divided voters.', 'EU referendum', 'Brexit referendum'],
    [
      'The 2016 Republican National Convention',
      '2016 Republican National Convention',
      '2016 Republican National Convention',
    ],
    // attacks and disasters
    ['Since the September 11 attacks', 'September 11 attacks', 'September 11 attacks'],
    ['Since the Sept. 11, 2001, attacks', 'Sept. 11, 2001, attacks', 'September 11 attacks'],
    ['Everything changed after 9/11.', '9/11', 'September 11 attacks'],
    ['The Boston Marathon bombing', 'Boston Marathon bombing', 'Boston Marathon bombing'],
    ['The Chernobyl disaster spread fear.', 'Chernobyl disaster', 'Chernobyl disaster'],
    ['The Sandy Hook massacre', 'Sandy Hook massacre', 'Sandy Hook shooting'],
    // awards, festivals, movements
    ['She won two Oscars.', 'Oscars', 'Academy Awards'],
    ['The 89th Academy Awards', '89th Academy Awards', '89th Academy Awards'],
    ['The 59th annual Grammy Awards', '59th annual Grammy Awards', '59th Grammy Awards'],
    ['It opened at the Cannes Film Festival.', 'Cannes Film Festival', 'Cannes Film Festival'],
    ['It opened at the Jerusalem Film Festival.', 'Jerusalem Film Festival', 'Jerusalem Film Festival'],
    ['The Arab Spring toppled rulers.', 'Arab Spring', 'Arab Spring'],
    ['The Iranian Revolution of old', 'Iranian Revolution', 'Iranian Revolution'],
    ['The Women’s March filled the Mall.', 'Women’s March', "Women's March"],
    ['The Cuban Missile Crisis', 'Cuban Missile Crisis', 'Cuban Missile Crisis'],
  ] as const)('%s', (text, surface, name) => {
    expect(events(text)).toEqual(surface === null ? [] : [[surface, name]])
  })
})

describe('finds none in', () => {
  it.each([
    'He is an Olympic champion.',
    'The U.S. Olympic Committee met.',
    'Katrina Smith lives in Ohio.',
    'The National Hurricane Center warned.',
    'Hurricane season begins in June.',
    'Hurricane Victims Wait',
    'The Star Wars film opened.',
    'A Trade War looms.',
    'The war in Syria goes on.',
    'The world cup of tea.',
    'They played games in 2016.',
    'A summit in Hamburg ended.',
    'The election was close.',
    'In 2016 he was elected.',
    'In Rio 2015 was a good year.',
    'The 9/11 Commission reported.',
    'It is dated 9/11/2017.',
    'The Vietnam War Memorial stands.',
    'The World War II Museum opened.',
    'He slept at the Watergate hotel.',
    'Spring in Arab countries is short.',
    'Oscar Pistorius ran.',
    'Emmy Rossum acted.',
    'A cold war of words.',
    'Civil war broke out.',
    'The operation succeeded.',
    'A battle of wills.',
    'The Democratic primary voters',
    'Who wins in March 2016?',
    'His first job was in 2016.',
  ])('%s', (text) => {
    expect(events(text)).toEqual([])
  })
})

const PER = { begin: 1, inside: 2 }
const ORG = { begin: 3, inside: 4 }
const LOC = { begin: 5, inside: 6 }

describe('beside the tagger', () => {
  const namesOf = (sentence: string, tags: readonly number[]): string[] => {
    const split = wordsOf(sentence)
    const [spans = []] = namedWords([{ words: split.texts, tags }], files)
    return spans.map(({ type, start, end }) => `${type} ${split.texts.slice(start, end).join(' ')}`)
  }

  it('replaces the names inside an event', () => {
    expect(namesOf('The Vietnam War', [0, LOC.begin, 0])).toEqual(['EVENT Vietnam War'])
    expect(namesOf('The FIFA World Cup', [0, ORG.begin, ORG.begin, 0])).toEqual(['EVENT FIFA World Cup'])
  })

  it('leaves a longer name that holds an event, and names beside it', () => {
    const longer = [0, ORG.begin, ORG.inside, ORG.inside, ORG.inside, ORG.inside]

    expect(namesOf('The National World War II Museum', longer)).toEqual(['ORG National World War II Museum'])
    expect(namesOf('Ann Lee saw the Olympics', [PER.begin, PER.inside, 0, 0, 0])).toEqual([
      'PER Ann Lee',
      'EVENT Olympics',
    ])
  })
})

it('gives the same entity id to every way to write one event', () => {
  const ids = ['World War II', 'the Second World War', 'WWII', 'World War Two'].map((surface) => {
    const [named] = canonicalNames([{ type: 'EVENT', surface }], files.places)
    return entityId('EVENT', named?.name ?? '')
  })

  expect(new Set(ids)).toEqual(new Set([entityId('EVENT', 'World War II')]))
})

describe('events.tsv', () => {
  const text = readFileSync(projectPath('models/events/events.tsv'), 'utf8')
  const lines = text.replace(/\n$/, '').split('\n')

  it('is in the order of names, each line with five fields and flags that are known', () => {
    const keys = lines.map((line) => line.split('\t')[1] ?? '')

    expect(keys).toEqual([...keys].sort((a, b) => (a < b ? -1 : 1)))
    expect(lines.filter((line) => !/^EVENT(?:\t[^\t]*){3}\t(?:recurring)? ?(?:noun)?$/.test(line))).toEqual([])
  })

  it('has a name for each line by which the name itself is found', () => {
    const names = parseAliases(text).lines.map(({ name }) => name)

    expect(names.filter((name) => events(`About ${name} now`)[0]?.[1] !== name)).toEqual([])
  })
})

describe('cost', () => {
  const table = openEventTable()
  const known = { isPlace: () => true, isCommon: () => false, isFirstName: () => true }

  it.each([
    'World ',
    'World War ',
    '2016 ',
    'Rio ',
    'Operation ',
    'Battle of ',
    'A-',
    'Film ',
    '9/',
    'March 2016 U.S. ',
    "A's ",
  ])('is linear in the length of "%s" again and again', (unit) => {
    const { ms, limitMs } = costOf(
      unit,
      (text) => wordsOf(text).texts,
      (words) => findEvents(words, known, table),
    )

    expect(ms).toBeLessThan(limitMs)
  })
})
