import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { dashboardFiles } from './routes.ts'

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'dashboard-'))
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'index.html'), '<!doctype html>')
  writeFileSync(join(folder, 'secret.js'), 'not for anybody')
  writeFileSync(join(folder, 'assets', 'index-1.js'), 'run()')
  writeFileSync(join(folder, 'assets', 'index-1.js.br'), 'pressed')
})
afterAll(() => rmSync(folder, { recursive: true }))

it('gives the page anew each time, and what it loads for ever, as it was compressed', () => {
  const { index, asset } = dashboardFiles(folder)

  expect(index()).toMatchObject({ type: 'text/html; charset=utf-8' })
  expect(index()?.immutable).toBeUndefined()
  expect(asset('index-1.js')).toMatchObject({ immutable: true, brotli: Buffer.from('pressed') })
})

it('lets the page run nothing that stands in it, and load nothing from elsewhere', () => {
  const policy = dashboardFiles(folder).index()?.policy ?? ''

  expect(policy).toContain("default-src 'none'")
  expect(policy).not.toMatch(/unsafe|https?:|\*/)
})

it.each(['../secret.js', '..%2fsecret.js', 'index-1.js.br', 'index-2.js', ''])('gives nobody %s', (name) => {
  expect(dashboardFiles(folder).asset(name)).toBeUndefined()
})

it('has no page where none was built', () => {
  const { index, asset } = dashboardFiles(join(folder, 'nothing'))

  expect([index(), asset('index-1.js')]).toEqual([undefined, undefined])
})
