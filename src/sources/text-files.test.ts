import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { aTemporaryFolder } from '../../test/builders/temporary-folder.ts'
import type { SourceRecord } from './records.ts'
import { splitTitle, textFiles, textRecords } from './text-files.ts'

const aFolder = (files: Readonly<Record<string, string | Buffer>>): string => {
  const folder = aTemporaryFolder()
  mkdirSync(join(folder, 'inner'))
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  return folder
}

const recordsOf = async (files: readonly string[]): Promise<SourceRecord[]> => {
  const records: SourceRecord[] = []
  for await (const record of textRecords(files, 'Example Times')) records.push(record)
  return records
}

it('finds the .txt files of a folder and of the folders in it, sorted, and files as given', async () => {
  const folder = aFolder({ 'b.txt': '', 'a.TXT': '', 'c.md': '', 'inner/d.txt': '' })

  expect(await textFiles([folder, join(folder, 'c.md')])).toEqual(
    ['a.TXT', 'b.txt', 'inner/d.txt', 'c.md'].map((name) => join(folder, name)),
  )
})

it('reports a path that does not exist, and a folder without texts', async () => {
  await expect(textFiles(['/no/such/folder'])).rejects.toThrow('/no/such/folder: no such file or folder')
  await expect(textFiles([aFolder({ 'a.md': '' })])).rejects.toThrow('has no .txt files')
})

it('makes one record of each file, and names the files that it cannot read', async () => {
  const folder = aFolder({
    'a.txt': '\ufeffBridge to close\r\n\r\nThe council voted.\r\n',
    'b.txt': Buffer.from([0xff, 0xfe]),
  })

  expect(await recordsOf(await textFiles([folder]))).toEqual([
    {
      ...{ kind: 'fields', line: 1, title: 'a.txt' },
      fields: { title: 'Bridge to close', text: 'The council voted.', source: 'Example Times' },
    },
    { kind: 'malformed', line: 2, reason: 'malformed_line', detail: `${join(folder, 'b.txt')} is not UTF-8` },
  ])
})

it.each([
  ['Bridge to close\n\nThe council voted.', { title: 'Bridge to close', text: 'The council voted.' }],
  ['Bridge to close\n \nOne.\n\nTwo.', { title: 'Bridge to close', text: 'One.\n\nTwo.' }],
  ['The council voted\non Tuesday.\n\nTwo.', { title: null, text: 'The council voted\non Tuesday.\n\nTwo.' }],
  ['The council voted.', { title: null, text: 'The council voted.' }],
  [`${'x'.repeat(301)}\n\nTwo.`, { title: null, text: `${'x'.repeat(301)}\n\nTwo.` }],
])('takes the first line of %j as title only if an empty line follows it', (content, parts) => {
  expect(splitTitle(content)).toEqual(parts)
})
