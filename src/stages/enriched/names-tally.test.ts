import { expect, it } from 'vitest'
import { namesTally } from './names-tally.ts'
import type { PostEntity, EnrichedMemberRecord, RememberedPost } from './changelog.ts'

const entity = (type: string, name: string): PostEntity => ({ entity_id: `${type} ${name}`, name, type })

/** A tally of one article, and posts that name one entity each. */
function tallied(editorial: readonly PostEntity[], said: readonly PostEntity[]) {
  const tally = namesTally()
  const member: Partial<EnrichedMemberRecord> = { entities: editorial as EnrichedMemberRecord['entities'] }
  tally.addArticle(member as EnrichedMemberRecord)
  said.forEach((each, i) => {
    const post: Partial<RememberedPost> = {
      platform: 'reddit',
      post_id: `p${i}`,
      author_hash: `a${i}`,
      url: `https://reddit.example/${i}`,
      score: 1,
      created_at: i,
      entities: [each],
    }
    tally.addPost(post as RememberedPost)
  })
  return tally.names()
}

it('counts a variant of an editorial name as that name', () => {
  const names = tallied(
    [entity('PERSON', 'Robert Hayes'), entity('GPE', 'Tulsa')],
    ['Bob Hayes', 'Robret Hayes', 'TulsaShooting', 'Jane Hayes'].map((name) => entity('PERSON', name)),
  )

  expect(names.public).toEqual(['Robert Hayes', 'Jane Hayes', 'Tulsa'])
  expect(names.novel).toEqual(['Jane Hayes'])
})

it('calls a new name that is written in many ways by its fullest', () => {
  const names = tallied(
    [],
    [
      entity('PERSON', 'Carter'),
      entity('PERSON', 'WillaCarter'),
      entity('PERSON', 'Willa Carter'),
      entity('PERSON', 'W Carter'),
    ],
  )

  expect(names.novel).toEqual(['Willa Carter'])
  expect(names.evidence['Willa Carter']).toHaveLength(4)
})

it('calls a new place by its name, not by a code or by what happened there', () => {
  const names = tallied(
    [],
    [entity('GPE', 'DNK'), entity('GPE', 'DenmarkAttack'), entity('GPE', 'Denmark'), entity('GPE', 'DK')],
  )

  expect(names.novel).toEqual(['Denmark'])
})

it('leaves a short form alone that may be two, unless one is named far more often', () => {
  const both = ['Willa Carter', 'Jonas Carter', 'Carter'].map((name) => entity('PERSON', name))
  const oftener = Array.from({ length: 5 }, () => entity('PERSON', 'Willa Carter'))

  expect(tallied([], both).novel).toContain('Carter')
  expect(tallied([], [...both, ...oftener]).novel).not.toContain('Carter')
})

it('leaves out what is a word and no name', () => {
  const names = tallied([], [entity('PERSON', 'Gunmen'), entity('ORG', 'Police Dept'), entity('PERSON', 'Kay Odum')])

  expect(names.public).toEqual(['Kay Odum'])
})
