import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { EntityType } from '../../events/articles.ts'
import { openTagLexicon } from '../tokens/part-of-speech.ts'
import type { RelatingArticle, SentenceRelation } from './words.ts'
import { relationsOf } from './relations-of.ts'

const lexicon = openTagLexicon()

/** `[Ada] sued [Bo].` as text, and where each name stands. */
function marked(sentence: string) {
  const names: { name: string; start: number }[] = []
  let text = ''
  for (const part of sentence.split(/(\[[^\]]+\])/)) {
    const name = part.startsWith('[') ? part.slice(1, -1) : null
    if (name !== null) names.push({ name, start: text.length })
    text += name ?? part
  }
  return { text, names }
}

/** An article of sentences in which names are in brackets; a name is its entity's id. */
function anArticle(sentences: readonly string[], feelings: readonly number[] = []): RelatingArticle {
  let text = ''
  const entities = new Map<string, RelatingArticle['entities'][number]['mentions'][number][]>()
  const spans = sentences.map((sentence, i) => {
    const found = marked(sentence)
    const start = text.length
    for (const { name, start: at } of found.names) {
      const mention = {
        surface: name,
        start: start + at,
        end: start + at + name.length,
        sentence: i,
        sentiment_score: 0,
      }
      entities.set(name, [...(entities.get(name) ?? []), mention])
    }
    text += `${found.text} `
    return { start, end: start + found.text.length, sentiment_score: feelings[i] ?? 0 }
  })
  const typed = [...entities].map(([entity_id, mentions]) => ({ entity_id, type: typeOf(entity_id), mentions }))
  return { text, sentences: spans, entities: typed }
}

const typeOf = (name: string): EntityType =>
  name === 'Monday' ? 'DATE' : name.endsWith('dollars') ? 'MONEY' : 'PERSON'

const written = ({ source_id, target_id, type }: SentenceRelation): string => `${source_id} > ${target_id} ${type}`
const all = (sentence: string, feeling = 0): string[] =>
  relationsOf(anArticle([sentence], [feeling]), lexicon).map(written)
const asserted = (sentence: string): string[] => all(sentence).filter((relation) => !relation.endsWith('co_mention'))

interface LabelledSentence {
  readonly sentence: string
  /** `Ada > Bo adversarial`, or of either direction `Ada = Bo adversarial`. */
  readonly relations: readonly string[]
}

const labelled = (file: string): LabelledSentence[] =>
  readFileSync(new URL(`labelled/${file}.tsv`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [sentence = '', relations = ''] = line.split('\t')
      return { sentence, relations: relations.split('; ').filter((relation) => relation !== '') }
    })

/** The label that a relation fits, in either direction where that is open. */
function labelOf(relation: string, labels: readonly string[]): string | undefined {
  const [, source = '', target = '', type = ''] = /^(.*) > (.*) (\w+)$/.exec(relation) ?? []
  return [relation, `${source} = ${target} ${type}`, `${target} = ${source} ${type}`].find((one) =>
    labels.includes(one),
  )
}

function compared(file: string) {
  const wrong: string[] = []
  const missed: string[] = []
  let right = 0
  for (const { sentence, relations } of labelled(file)) {
    const found = asserted(sentence)
    const fit = new Set(found.map((relation) => labelOf(relation, relations)))
    wrong.push(...found.filter((relation) => labelOf(relation, relations) === undefined))
    missed.push(...relations.filter((label) => !fit.has(label)))
    right += relations.filter((label) => fit.has(label)).length
  }
  return { right, wrong, missed }
}

describe('labelled sentences', () => {
  it('of those the rules were written with all are told right', () => {
    expect(compared('while-writing')).toEqual({ right: 50, wrong: [], missed: [] })
  })

  it('of those nobody looked at meanwhile none is told wrong and three quarters are told', () => {
    const { right, wrong, missed } = compared('unseen')

    expect(wrong).toEqual([])
    expect(right / (right + missed.length)).toBeGreaterThanOrEqual(0.75)
  })
})

describe('relationsOf', () => {
  it('pairs every two names of a sentence, the smaller id first, and dates and sums with nobody', () => {
    expect(all('[Cy] and [Bo] saw [Ada] on [Monday] with [5 dollars].')).toEqual([
      'Bo > Cy co_mention',
      'Ada > Cy co_mention',
      'Ada > Bo co_mention',
    ])
  })

  it('has one relation a pair and sentence, with what tells it as written and how the sentence feels', () => {
    const article = anArticle(
      ['[Ada] Sued [Bo].', 'It rained.', '[Bo] praised [Ada].', '[Ada] left.'],
      [-0.5, 0, 0.7, 0],
    )

    expect(relationsOf(article, lexicon)).toEqual([
      { sentence: 0, source_id: 'Ada', target_id: 'Bo', type: 'adversarial', evidence: 'Sued', sentiment_score: -0.5 },
      {
        sentence: 2,
        source_id: 'Bo',
        target_id: 'Ada',
        type: 'collaborative',
        evidence: 'praised',
        sentiment_score: 0.7,
      },
    ])
  })

  it('believes a word that says little only where the sentence does not feel otherwise', () => {
    expect(all('[Ada] met [Bo].', 0.1)).toEqual(['Ada > Bo collaborative'])
    expect(all('[Ada] met [Bo].', -0.6)).toEqual(['Ada > Bo co_mention'])
    expect(all('[Ada] warned [Bo].', -0.1)).toEqual(['Ada > Bo adversarial'])
    expect(all('[Ada] warned [Bo].', 0.6)).toEqual(['Ada > Bo co_mention'])
    expect(all('[Ada] sued [Bo].', 0.6)).toEqual(['Ada > Bo adversarial'])
  })

  it('pairs the first names of a list only', () => {
    const names = Array.from({ length: 40 }, (_, i) => `[N${i}]`)

    expect(all(`They were ${names.join(', ')}.`)).toHaveLength((12 * 11) / 2)
  })

  it('reads no name in a word that is joined to others', () => {
    expect(asserted('The [Ada]-led group attacked [Bo].')).toEqual([])
    expect(asserted('An anti-[Ada] group attacked [Bo].')).toEqual([])
  })

  it.each([
    '[Ada] did not sue [Bo].',
    "[Ada] didn't sue [Bo].",
    '[Ada] never sued [Bo].',
    '[Ada] may sue [Bo].',
    'Unless [Ada] sues [Bo], nothing happens.',
    'Cy denied that [Ada] sued [Bo].',
    'Has [Ada] sued [Bo]?',
    'Cy demanded that [Ada] back [Bo].',
    '[Ada] declined to sue [Bo].',
    'Friends near [Ada] attacked [Bo].',
  ])('nothing is told by "%s"', (sentence) => {
    expect(asserted(sentence)).toEqual([])
  })

  it('survives any text', () => {
    const odd = [
      '[Ada][Bo]',
      '[Ada], , [Bo] by',
      'to to to [Ada] attack [Bo] to',
      '’s [Ada] ’s war between [Bo] and',
      '[Ada] 😀 sued 😀 [Bo]',
    ]

    for (const sentence of odd) expect(all(sentence)).toHaveLength(1)
  })
})
