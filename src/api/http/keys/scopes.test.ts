import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { projectPath } from '../../../config/project-path.ts'
import { rotateKey } from '../../../operations/keys/rotate.ts'
import { avroType, schemaText } from '../../../events/avro.ts'
import { keysChanged, type KeyChanged } from '../../../events/settings.ts'
import { createKey } from '../../../operations/keys/create-key.ts'
import { hasScope } from './caller.ts'
import { isScope, scopesOf, SCOPES, type Scope } from './scopes.ts'

const aWish = { tier: 'starter', privateNamespace: null, name: '', expires_at: null } as const

const aKey = (scopes: readonly string[], curator = false): KeyChanged => ({
  ...createKey({ ...aWish, scopes: ['read'] }, 1).event,
  scopes,
  curator,
})

it.each([
  [false, ['read', 'write']],
  [true, ['read', 'write', 'curate']],
])('a key from before there were scopes keeps what it may, curator: %s', (curator, scopes) => {
  const old = aKey(['sources'], curator) // the schema of that time has no field `scopes`
  const before = avroType(readFileSync(projectPath('schemas/history/keys.changed/2.avsc'), 'utf8'))
  const now = avroType(schemaText(keysChanged.name))
  const read = now.fromBuffer(before.toBuffer(old), now.createResolver(before)) as KeyChanged

  expect(read.scopes).toEqual([])
  expect(scopesOf(read)).toEqual(scopes)
})

it('scopes of a newer version are ignored, also if a key has no other', () => {
  expect(scopesOf(aKey(['billing', 'sources', 'read']))).toEqual(['read', 'sources'])
  expect(scopesOf(aKey(['billing']))).toEqual([])
  expect(isScope('billing')).toBe(false)
})

it('the scopes decide, not the field that older versions read', () => {
  expect(scopesOf(aKey(['read'], true))).toEqual(['read'])
  expect(createKey({ ...aWish, scopes: ['read', 'curate'] }, 1).event.curator).toBe(true)
})

it('no key is created without a scope, which would be read as one from before there were scopes', () => {
  expect(() => createKey({ ...aWish, scopes: [] }, 1)).toThrow('at least one scope')
})

it.each([[['read']], [['read', 'sources', 'billing']], [['read', 'write', 'curate']]])(
  'rotation keeps %j',
  (scopes) => {
    const { next } = rotateKey(aKey(scopes), { now: 2, overlapMs: 0 })

    expect(next).toMatchObject({ scopes, curator: scopes.includes('curate') })
  },
)

it('rotation records the scopes of a key from before there were scopes', () => {
  const { next } = rotateKey(aKey([], true), { now: 2, overlapMs: 0 })

  expect(next).toMatchObject({ scopes: ['read', 'write', 'curate'], curator: true })
})

it('write includes curate in a private namespace, and no scope includes another elsewhere', () => {
  const granted = (namespace: string, ...scopes: readonly Scope[]) =>
    SCOPES.filter((scope) => hasScope({ namespace, scopes }, scope))

  for (const scope of SCOPES) expect(granted('shared', scope)).toEqual([scope])
  expect(granted('acme', 'write')).toEqual(['write', 'curate'])
  expect(granted('acme', 'read')).toEqual(['read'])
})
