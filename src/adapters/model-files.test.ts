import { expect, it } from 'vitest'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WIDTHS } from '../language/stance/features.ts'
import { readStanceModel } from './model-files.ts'

const { name, learned, stanceOf } = readStanceModel()
const said = (text: string) => ({ text, vector: new Float32Array(384) })
const ROOT = said('The bridge over the Elbe was closed after a crack was found #Elbe')

it('the committed weights are named by their hash and tell what they were learned from', () => {
  expect(name).toMatch(/^stance:[0-9a-f]{12}$/)
  expect(learned.has('498280126254428160')).toBe(true)
  expect(learned.has('8faeb4b0-c41b-11e4-88c9-eb158a06b9a5')).toBe(true)
})

it.each([
  ['Is this true? Any source?', 'query'],
  ['so sad', 'comment'],
  ['RT @news: The bridge over the Elbe was closed after a crack was found', 'support'],
])('of a reply that says %j they tell: %s', (text, stance) => {
  expect(stanceOf({ post: said(text), parent: ROOT, claim: ROOT }).stance).toBe(stance)
})

it('a denial makes denying likelier, by its words alone', () => {
  const denying = (text: string) => stanceOf({ post: said(text), parent: ROOT, claim: ROOT }).probabilities.deny

  expect(denying('That is a lie, it never closed')).toBeGreaterThan(1.3 * denying('That is a shame, it just closed'))
})

it.each([
  ['Elbe Bridge Closed After Crack Was Found', 'support'],
  ['Report That Elbe Bridge Was Closed Is A Hoax, Police Say', 'deny'],
  ['who told you that?', 'query'],
  ['lol', 'comment'],
])('of a post that answers nobody and says %j they tell: %s', (text, stance) => {
  expect(stanceOf({ post: said(text), parent: null, claim: ROOT }).stance).toBe(stance)
})

it('weights of another form are refused', () => {
  const folder = mkdtempSync(join(tmpdir(), 'stance-'))
  const file = join(folder, 'weights.json')
  writeFileSync(file, JSON.stringify({ encoder: 'a', learned: [], style: { bias: [0, 0], weights: [[1], [1]] } }))

  expect(() => readStanceModel(file)).toThrow(new RegExp(String(WIDTHS.style)))

  rmSync(folder, { recursive: true })
})
