import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { keptLeads, type LeadEncoder } from './kept-leads.ts'

let folder = ''
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'leads-'))))
afterEach(() => {
  rmSync(folder, { recursive: true })
})

const vectorOf = (title: string, body: string) =>
  Float32Array.from({ length: 8 }, (_, i) => 1 / (1 + i + title.length + 100 * body.length))

/** Test double: vectors derived from the lengths of title and body. Records its inputs. */
function anEncoder(model = 'abc') {
  const calls: string[] = []
  const encoder: LeadEncoder = {
    model,
    dim: 8,
    leads: async (articles) => {
      calls.push(...articles.map(({ title, body }) => `${title}|${body}`))
      return Promise.resolve(articles.map(({ title, body }) => vectorOf(title, body)))
    },
  }
  return { encoder, calls }
}

const ARTICLES = [
  { title: 'a', body: 'bb' },
  { title: '', body: 'abb' },
  { title: 'a', body: 'bb' },
]
const VECTORS = ARTICLES.map(({ title, body }) => vectorOf(title, body))
const file = () => join(folder, 'abc.leads')

async function encoded(model?: string): Promise<readonly string[]> {
  const { encoder, calls } = anEncoder(model)
  const kept = keptLeads(encoder, folder)
  expect(await kept.leads(ARTICLES)).toEqual(VECTORS)
  kept.save()
  return calls
}

it('asks for each text once, in this run and in later ones, and gives the same bits', async () => {
  expect(await encoded()).toEqual(['a|bb', '|abb'])
  expect(await encoded()).toEqual([])
})

it('keeps the vectors of two models apart', async () => {
  await encoded()

  expect(await encoded('org/other')).toEqual(['a|bb', '|abb'])
  expect(readdirSync(folder).sort()).toEqual(['abc.leads', 'org_other.leads'])
})

it.each([
  ['cut', () => truncateSync(file(), 70)],
  ['empty', () => truncateSync(file(), 0)],
  [
    'changed in one bit',
    () => {
      const bytes = readFileSync(file())
      bytes[60] = (bytes[60] ?? 0) ^ 1
      writeFileSync(file(), bytes)
    },
  ],
])('takes no vector from a file that is %s, and writes a whole one', async (_, harm) => {
  await encoded()
  harm()

  expect(await encoded()).toEqual(['a|bb', '|abb'])
  expect(await encoded()).toEqual([])
})

it('adds to what another run has written meanwhile', async () => {
  const one = keptLeads(anEncoder().encoder, folder)
  const other = keptLeads(anEncoder().encoder, folder)
  await one.leads([{ title: 'one', body: '' }])
  await other.leads([{ title: 'other', body: '' }])
  one.save()
  other.save()

  const { encoder, calls } = anEncoder()
  await keptLeads(encoder, folder).leads([
    { title: 'one', body: '' },
    { title: 'other', body: '' },
  ])

  expect(calls).toEqual([])
})
