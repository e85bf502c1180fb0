import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { Command } from 'commander'
import { afterAll, describe, expect, it } from 'vitest'
import type { Wiring } from '../ports/wiring.ts'
import { extractCommand } from './extract.ts'

const folder = mkdtempSync(join(tmpdir(), 'extract-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const PAGE = `<h1>Flood</h1><article><p>${'The river rose on Sunday, by two metres. '.repeat(6)}</p></article>`

function fileWith(name: string, bytes: Buffer | string): string {
  const path = join(folder, name)
  writeFileSync(path, bytes)
  return path
}

async function run(...args: string[]): Promise<{ readonly lines: readonly unknown[]; readonly error: string | null }> {
  const lines: unknown[] = []
  const wiring = {
    config: { feeds: { allowPrivateAddresses: false } },
    clock: { now: () => Date.UTC(2026, 0, 1) },
    out: { json: (value: unknown) => lines.push(value), line: (text: string) => lines.push(text) },
  } as unknown as Wiring
  const program = new Command().exitOverride()
  extractCommand(program, wiring)
  const error = await program.parseAsync(['extract', ...args], { from: 'user' }).then(
    () => null,
    (cause: unknown) => (cause as Error).message,
  )
  return { lines, error }
}

describe('story extract', () => {
  it('prints one line per input in the order given, and fails at the end if one failed', async () => {
    const packed = fileWith('a.html.gz', gzipSync(PAGE))
    const plain = fileWith('b.html', PAGE)
    const missing = join(folder, 'c.html')

    const { lines, error } = await run(packed, missing, plain, '--json')

    expect(lines).toMatchObject([
      { file: packed, title: 'Flood' },
      { file: missing },
      { file: plain, method: 'readability' },
    ])
    expect(lines[1]).toHaveProperty('error')
    expect(error).toBe('1 of 3 inputs failed')
  })

  it('takes the address of one file', async () => {
    const file = fileWith('d.html', PAGE)

    const { lines } = await run(file, '--url', 'https://news.example/flood', '--json')

    expect(lines).toMatchObject([{ canonical_url: 'https://news.example/flood' }])
    expect((await run(file, file, '--url', 'https://news.example/flood')).error).toContain('one FILE')
  })

  it('does not request private addresses', async () => {
    const { lines } = await run('http://127.0.0.1:9/page', '--json')

    expect(lines).toMatchObject([{ url: 'http://127.0.0.1:9/page' }])
    expect(lines[0]).toHaveProperty('error')
  })
})
