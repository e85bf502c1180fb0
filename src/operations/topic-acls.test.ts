import { expect, it } from 'vitest'
import { projectPath } from '../config/project-path.ts'
import { aclArguments, grants, type PrincipalName } from './topic-acls.ts'
import { readTopicFiles } from '../config/topics.ts'

const all = grants(readTopicFiles(projectPath('topics')))

const writersOf = (topic: string): PrincipalName[] =>
  all
    .filter(({ resource, names, operations }) => {
      return resource === 'topic' && operations.includes('Write') && (names.includes(topic) || names.includes('*'))
    })
    .map(({ principal }) => principal)

it.each([
  ['keys.changed', ['operator']],
  ['articles.ingested', ['producers', 'import', 'api', 'feeds', 'operator']],
  ['articles.ingested.dead', ['stages', 'views', 'operator']],
  ['articles.clustered', ['stages', 'operator']],
  ['feeds.changed', ['api', 'feeds', 'operator']],
  ['webhooks.changed', ['api', 'delivered', 'operator']],
  ['monitors.changed', ['api', 'delivered', 'operator']],
])('%s is written by %j alone', (topic, writers) => {
  expect(writersOf(topic)).toEqual(writers)
})

it('lets connectors do nothing but write and read what they publish', () => {
  expect(all.filter(({ principal }) => principal === 'connectors')).toEqual([
    {
      principal: 'connectors',
      resource: 'topic',
      names: ['discourse.polled', 'discourse.posts'],
      operations: ['Write', 'Read'],
    },
  ])
})

it('lets nobody but the operator change topics', () => {
  const changing = all.filter(({ operations }) => operations.some((one) => ['Create', 'Alter', 'Delete'].includes(one)))

  expect(new Set(changing.map(({ principal }) => principal))).toEqual(new Set(['operator']))
})

it('is written as arguments of kafka-acls.sh', () => {
  const grant = { principal: 'api', resource: 'topic', names: ['a', 'b'], operations: ['Read', 'Write'] } as const

  expect(aclArguments(grant, 'story-').join(' ')).toBe(
    '--add --allow-principal User:story-api --operation Read --operation Write --topic a --topic b',
  )
})
