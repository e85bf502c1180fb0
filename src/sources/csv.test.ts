import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { type ColumnMap, parseColumnMap } from './columns.ts'
import { type SourceRecord } from './records.ts'
import { csvRecords } from './csv.ts'

interface ReadOptions {
  readonly map?: ColumnMap
  readonly separator?: string
  /** Bytes a chunk: line ends and quotes may be cut in two. */
  readonly chunk?: number
}

async function read(csv: string, { map = new Map(), separator, chunk = 1_000 }: ReadOptions = {}) {
  const bytes = Buffer.from(csv)
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunk) }, (_, i) =>
    bytes.subarray(i * chunk, (i + 1) * chunk),
  )
  const found: SourceRecord[] = []
  for await (const one of csvRecords(Readable.from(chunks), { map, separator: separator ?? null })) found.push(one)
  return found
}

const fieldsOf = (records: readonly SourceRecord[]) =>
  records.map((one) => (one.kind === 'fields' ? one.fields : one.reason))
const linesOf = (records: readonly SourceRecord[]) => records.map(({ kind, line }) => [kind, line])
const detailsOf = (records: readonly SourceRecord[]) =>
  records.map((one) => (one.kind === 'malformed' ? one.detail : undefined))

describe('the columns of a CSV', () => {
  it.each([
    ['their own names', 'url,title,source,author,published_date,text'],
    ['any case', 'URL,Title,SOURCE,Author,Published Date,Text'],
    ['usual names', 'link,Headline,outlet,byline,pubDate,body'],
    ['others', 'href,heading,publisher,writer,date,content'],
  ])('are known by %s', async (_, header) => {
    const [fields] = fieldsOf(await read(`${header}\n1,2,3,4,5,6\n`))

    expect(fields).toEqual({ url: '1', title: '2', source: '3', author: '4', published_date: '5', text: '6' })
  })

  it('are those that the map names; an exact name is better than a usual one', async () => {
    const map = parseColumnMap(['head=title,Story=text', 'date=-'])

    expect(fieldsOf(await read('head,story,text,date,title\n1,2,3,4,5\n', { map }))).toMatchObject([
      { title: '1', text: '2' },
    ])
    expect(fieldsOf(await read('body,text\n1,2\n'))).toMatchObject([{ text: '2' }])
  })

  it('give one refusal of the header where the text is missing, and not one for each line', async () => {
    const found = await read('headline,blurb,link\n1,2,3\n4,5,6\n')

    expect(found).toMatchObject([{ kind: 'malformed', line: 1, reason: 'header_invalid' }])
    expect(detailsOf(found)[0]).toMatch(
      /^no column for `text`; this file has headline, blurb, link; known are .*body.*; map with --map blurb=text$/,
    )
  })

  it('say that the header is missing where the first line holds a text, and cut it', async () => {
    const text = 'The harbour bridge was closed on Monday for repairs that take two years.'

    expect(detailsOf(await read(`1,${text}\n2,${text}\n`))).toEqual([
      'no column for `text`: the first line looks like data (1, The harbour bridge was closed on Monday …); ' +
        'the file needs a header line',
    ])
  })

  it('are refused where two hold one field, or the map names one that is not there', async () => {
    expect(detailsOf(await read('body,content,title\n1,2,3\n'))).toEqual([
      'columns body, content all mean text; choose one, e.g. --map body=text',
    ])
    expect(detailsOf(await read('text,title\n1,2\n', { map: parseColumnMap(['hed=title']) }))).toEqual([
      'no column hed (--map); this file has text, title',
    ])
  })

  it.each([
    ['body', 'expected COLUMN=FIELD'],
    ['body=txt', 'no field txt; known are url, title'],
    ['a=text,b=text', 'columns a and b both mean text'],
  ])('cannot be mapped by %s', (text, message) => {
    expect(() => parseColumnMap([text])).toThrow(message)
  })
})

describe('the separator of a CSV', () => {
  it.each([
    ['a comma', 'title,text\n"a;b;c;d",y\n', undefined, { title: 'a;b;c;d', text: 'y' }],
    ['a semicolon', 'title;"te,x,t";text\n1;2;3\n', undefined, { title: '1', text: '3' }],
    ['a tab', 'title\ttext\n1,5\t2\n', undefined, { title: '1,5', text: '2' }],
    ['what is said', 'title|text\n1\t|2\n', '|', { title: '1\t', text: '2' }],
  ])('is %s', async (_, csv, separator, fields) => {
    expect(fieldsOf(await read(csv, separator === undefined ? {} : { separator }))).toMatchObject([fields])
  })
})

describe('the lines of a CSV', () => {
  const csv =
    'title,text\n' + // 1
    'a,unquoted\r\n' + // 2
    '\r\n' + // 3
    'b,"quoted\r\nin two\nor three lines"\r\n' + // 4
    'short\r' + // 7
    'c,last\r\n' + // 8
    'd,"one"more"\r\n' + // 9
    'e,end' // 10

  it.each([1, 2, 3, 7, 1_000])('are counted right, however they end (%i bytes a chunk)', async (chunk) => {
    const found = await read(csv, { chunk })

    expect(linesOf(found)).toEqual([
      ['fields', 2],
      ['fields', 4],
      ['malformed', 7],
      ['fields', 8],
      ['malformed', 9],
      ['fields', 10],
    ])
    expect(fieldsOf(found)[1]).toEqual({ title: 'b', text: 'quoted\nin two\nor three lines' })
  })

  it('are right where the header ends otherwise than the rows, and the last field is quoted', async () => {
    const found = await read('title,text\nA,"one"\r\nB,"two"\r\nC,"three"\r\n')

    expect(linesOf(found)).toEqual([2, 3, 4].map((line) => ['fields', line]))
    expect(fieldsOf(found)).toEqual([
      { title: 'A', text: 'one' },
      { title: 'B', text: 'two' },
      { title: 'C', text: 'three' },
    ])
  })

  it('are none in an empty file', async () => {
    expect(await read('')).toEqual([])
  })
})
