import { Command } from 'commander'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { aHandMovedClock } from '../../test/builders/api.ts'
import { asEncoder } from '../../test/builders/encoder.ts'
import { loadConfig } from '../config/config.ts'
import { openQuickFiles, quickTagger } from '../language/recogniser/quick-tagger.ts'
import type { Encoder } from '../ports/encoder.ts'
import type { Reader } from '../ports/reader.ts'
import { QualityRecord } from '../domain/quality/figures.ts'
import { qualityCommand } from './quality.ts'
import { check } from '../quality/check.ts'
import { record } from '../quality/record.ts'
import type { RecordFiles } from '../wiring/published-quality.ts'
import { unusedPorts } from '../../test/builders/unused-ports.ts'
import type { Wiring } from '../ports/wiring.ts'

const folder = mkdtempSync(join(tmpdir(), 'quality-'))
afterAll(() => {
  rmSync(folder, { recursive: true })
})

const { model, files } = openQuickFiles()

const encoder: Encoder = asEncoder({
  model: 'words',
  dim: 384,
  sentences: async (texts) => texts.map(() => new Float32Array(384)),
  leads: async (articles) => articles.map(() => new Float32Array(384)),
  close: () => Promise.resolve(),
})

/** Test double: sentiment is positive towards a target followed by "good", otherwise negative. */
const reader: Reader = {
  models: { encoder: 'words', recogniser: model, sentiment: 'good' },
  dim: 384,
  read: async (sentences) => {
    const tags = await quickTagger(model, files).tags(sentences)
    return sentences.map(({ text }, i) => ({
      tags: tags[i] ?? new Uint8Array(),
      vector: new Float32Array(384),
      sentiment: (targets) => ({
        sentence: 0,
        targets: targets.map(({ end }) => (text.slice(end).startsWith(' good') ? 1 : -1)),
      }),
    }))
  },
}

let said: unknown[]
let progress: string[]
beforeEach(() => {
  said = []
  progress = []
})

const wiring: Wiring = {
  config: loadConfig({ STORY_CACHE: folder }),
  environment: {},
  clock: aHandMovedClock(),
  logger: pino({ level: 'silent' }),
  out: {
    line: (text) => said.push(text),
    json: (value) => said.push(value),
    progress: (text) => progress.push(text),
  },
  ...unusedPorts,
  encoder: () => Promise.resolve(encoder),
  crossEncoder: () => Promise.resolve(null),
  crossReader: () => Promise.resolve(null),
  reader: () => Promise.resolve(reader),
}

async function story(...words: readonly string[]): Promise<unknown[]> {
  const program = new Command().exitOverride()
  qualityCommand(program, wiring)
  await program.parseAsync(['quality', ...words], { from: 'user' })
  return said
}

function aFile(name: string, content: string | Buffer): string {
  const path = join(folder, name)
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, content)
  return path
}

const GOLD = [
  'Angela\tB-PER',
  'Merkel\tI-PER',
  'visited\tO',
  'Lagos\tB-LOC',
  '.\tO',
  '',
  'German\tB-MISC',
  'beer\tO',
  '',
]
const out = join(folder, 'answers')

describe('story quality ner', () => {
  it.each([
    ['plain', GOLD.join('\n')],
    ['with the line ends of Windows', GOLD.join('\r\n')],
    ['with blank lines at its end', `${GOLD.join('\n')}\n\n\n`],
    ['gzipped', gzipSync(GOLD.join('\n'))],
  ])('scores a file %s, other types counting as none', async (_, content) => {
    await story('ner', aFile('names.bio', content), '--predictions', out, '--json')

    expect(said).toContainEqual({ set: join(folder, 'names.bio'), measure: 'span_f1', value: 1, n: 2 })
    expect(said).toContainEqual({ set: join(folder, 'names.bio'), measure: 'span_f1_per', value: 1, n: 1 })
    expect(readFileSync(out, 'utf8').trimEnd()).toBe(GOLD.join('\n').replace('B-MISC', 'O').trimEnd())
  })

  it('answers for tokens without labels and says that there is nothing to score', async () => {
    const tokens = GOLD.map((line) => line.split('\t')[0]).join('\n')

    await story('ner', aFile('tokens.txt', tokens), '--predictions', out)

    expect(said).toEqual([])
    expect(progress.at(-1)).toBe(`${join(folder, 'tokens.txt')} has no labels: nothing to score`)
    expect(readFileSync(out, 'utf8')).toBe(GOLD.join('\n').replace('B-MISC', 'O'))
  })

  it('names file and line of what is not in the format', async () => {
    const file = aFile('broken.bio', 'Angela\tB-PER\nMerkel I-PER\n')

    await expect(story('ner', file)).rejects.toThrow(`${file}:2: not token<TAB>label: 1 column`)
  })
})

const question = { id: 'a', sentence: 'Ann good, Bob bad.', mention: 'Ann', from: 0, to: 3 }

describe('story quality sentiment', () => {
  it.each(['\n', '\r\n'])('scores a file whose lines end in %j, with blank ones at its end', async (end) => {
    const lines = [
      { ...question, polarity: 1 },
      { ...question, id: 'b', from: 10, to: 13, polarity: -1 },
    ].map((line) => JSON.stringify(line))

    await story('sentiment', aFile('news.jsonl', [...lines, '', ''].join(end)), '--predictions', out, '--json')

    expect(said).toContainEqual({ set: join(folder, 'news.jsonl'), measure: 'macro_f1', value: 1, n: 2 })
    expect(readFileSync(out, 'utf8')).toBe('{"id":"a","label":"positive"}\n{"id":"b","label":"negative"}\n')
  })

  it('answers for sentences that nobody judged', async () => {
    await story('sentiment', aFile('unjudged.jsonl', JSON.stringify(question)), '--predictions', out)

    expect(said).toEqual([])
    expect(progress.at(-1)).toContain('nothing to score')
    expect(readFileSync(out, 'utf8')).toBe('{"id":"a","label":"positive"}\n')
  })

  it.each([
    ['no JSON', '{"id":', 'not JSON'],
    ['another file’s', '{"text":"x"}', 'neither NewsMTSC'],
    ['a polarity there is not', JSON.stringify({ ...question, polarity: 3 }), 'neither NewsMTSC'],
  ])('names file and line of what is not in the format: %s', async (_, line, reason) => {
    const file = aFile('broken.jsonl', `${JSON.stringify(question)}\n\n${line}\n`)

    await expect(story('sentiment', file)).rejects.toThrow(`${file}:3: ${reason}`)
  })
})

describe('story quality threads', () => {
  const article = (id: string, day: number) =>
    JSON.stringify({
      id,
      url: `https://${id}.example/`,
      text: `Angela Merkel met Emmanuel Macron of France in Berlin about report ${id}.`,
      published_date: `2016-05-0${day}`,
    })
  const affair = (...members: readonly string[]) =>
    JSON.stringify({ affair: 'talks', half: 'measure', members, near_misses: [] })

  it('scores affairs that people labelled by the stories and threads of their articles', async () => {
    const affairs = aFile('affairs.jsonl', affair('a', 'b'))
    const articles = aFile('chapters.jsonl', [article('a', 1), article('b', 5)].join('\n'))

    await story('threads', affairs, '--articles', articles, '--predictions', out, '--json')

    expect(said).toContainEqual(expect.objectContaining({ measure: 'affair_recall_measure', n: 1 }))
    expect(said).toContainEqual(expect.objectContaining({ measure: 'affair_precision_learn', n: 0 }))
    const rows = readFileSync(out, 'utf8').trim().split('\n')
    expect(rows.map((row) => Object.keys(JSON.parse(row) as object))).toEqual([
      ['id', 'cluster', 'thread'],
      ['id', 'cluster', 'thread'],
    ])
  })

  it('names an article that the file lacks', async () => {
    const affairs = aFile('affairs.jsonl', affair('a', 'z'))
    const articles = aFile('chapters.jsonl', article('a', 1))

    await expect(story('threads', affairs, '--articles', articles)).rejects.toThrow('article z of the affairs')
  })
})

describe('story quality subjects', () => {
  const article = (id: string) =>
    JSON.stringify({
      id,
      url: `https://${id}.example/`,
      text: `Report ${id} of the strike.`,
      published_date: '2016-05-03',
    })
  const labelOf = (id: string) => JSON.stringify({ id, week: '2016-05-01', event: null, subject: 'strike' })
  const labels = () => aFile('weeks.jsonl', ['a', 'b', 'c', 'd', 'e'].map(labelOf).join('\n'))

  it('scores subjects that readers labelled by the subject pages of their articles', async () => {
    const articles = aFile('week.jsonl', ['a', 'b', 'c', 'd', 'e'].map(article).join('\n'))

    await story('subjects', articles, '--labels', labels(), '--threshold=-1.5', '--predictions', out, '--json')

    expect(said.map((line) => (line as { measure: string }).measure)).toEqual([
      ...['subject_precision_measure', 'subject_recall_measure', 'subject_precision_learn', 'subject_recall_learn'],
    ])
    expect(said).toContainEqual(expect.objectContaining({ measure: 'subject_recall_learn', n: 10 }))
    expect(JSON.parse(readFileSync(out, 'utf8').split('\n')[0] ?? '')).toHaveProperty('subject')
  })

  it('names an article that the file lacks', async () => {
    const articles = aFile('week.jsonl', article('a'))

    await expect(story('subjects', articles, '--labels', labels())).rejects.toThrow('article b of the labels')
  })
})

describe('story quality pairs', () => {
  const article = (id: string, text: string) =>
    JSON.stringify({ id, url: `https://${id}.example/`, text: `${text} ${text} ${text}`, published_date: '2016-05-03' })
  const REPORT = 'The harbour bridge in Orle closes for repairs on Monday, the council said.'
  const articles = [
    article('a', REPORT),
    article('b', REPORT),
    article('c', 'Bees are back in the city gardens of Tamsin.'),
  ]
  const pair = (a: string, b: string, label: string) => JSON.stringify({ a, b, label })

  it('scores pairs that people judged by the stories of their articles', async () => {
    const pairs = aFile(
      'pairs.jsonl',
      [pair('a', 'b', 'same'), pair('a', 'c', 'subject'), pair('b', 'c', 'unsure')].join('\n'),
    )

    await story(
      'pairs',
      pairs,
      '--articles',
      aFile('articles.jsonl', articles.join('\n')),
      '--predictions',
      out,
      '--json',
    )

    expect(said).toContainEqual({ set: pairs, measure: 'pair_f1', value: 1, n: 2 })
    expect(said).toContainEqual({ set: pairs, measure: 'pair_precision_quiet', value: 1, n: 2 })
    expect(said).not.toContainEqual(expect.objectContaining({ measure: 'pair_f1_busy' }))
    const rows = readFileSync(out, 'utf8').trim().split('\n')
    expect(rows.map((row) => (JSON.parse(row) as { id: string }).id)).toEqual(['a', 'b', 'c'])
  })

  it('counts a pair of one event that stands in two stories', async () => {
    const pairs = aFile('apart.jsonl', [pair('a', 'b', 'same'), pair('a', 'c', 'same')].join('\n'))

    await story('pairs', pairs, '--articles', aFile('articles.jsonl', articles.join('\n')), '--json')

    expect(said).toContainEqual({ set: pairs, measure: 'pair_recall', value: 0.5, n: 2 })
  })

  it('says that there is nothing to score where the reader was always unsure', async () => {
    const pairs = aFile('unsure.jsonl', pair('a', 'b', 'unsure'))

    await story('pairs', pairs, '--articles', aFile('articles.jsonl', articles.join('\n')), '--json')

    expect(said).toEqual([])
    expect(progress.at(-1)).toBe(`${pairs} has no pairs: nothing to score`)
  })

  it('names the article that is not there, and the line that is not a pair', async () => {
    const file = aFile('articles.jsonl', articles.join('\n'))

    await expect(story('pairs', aFile('more.jsonl', pair('a', 'x', 'same')), '--articles', file)).rejects.toThrow(
      'article x of the judged pairs is not in the file of articles',
    )
    const broken = aFile('broken.jsonl', `${pair('a', 'b', 'same')}\n{"a":"a","b":"c"}`)
    await expect(story('pairs', broken, '--articles', file)).rejects.toThrow(`${broken}:2: label`)
  })
})

describe('story quality check', () => {
  const SET = 'ner/dev/conllpp-dev.bio.gz'
  const data = join(folder, 'data')

  function aRecord(value: number): RecordFiles {
    const run = (figures: QualityRecord['gate']['figures']) => ({ measured_at: '2026-01-01', models: [], figures })
    const committed: QualityRecord = {
      sets: run([]),
      gate: run([
        { name: SET, measure: 'span_f1', value, n: 2 },
        { name: 'stories/gvc-val.jsonl.gz', measure: 'b_cubed_f1', value: 1, n: 78 },
      ]),
    }
    return { json: aFile('record.json', JSON.stringify(committed)), page: join(folder, 'page.md') }
  }

  it('says plainly that nothing was checked where there is no data', async () => {
    await story('check', '--data', join(folder, 'nowhere'))

    expect(said).toEqual([`skipped: no labelled sets in ${join(folder, 'nowhere')}; quality was not checked`])
  })

  it('holds the sets that are there against the recorded figures', async () => {
    aFile(`data/${SET}`, gzipSync(GOLD.join('\n')))

    await check(wiring, { data, json: true }, aRecord(1))

    expect(said).toEqual([{ name: SET, measure: 'span_f1', tolerance: 0.01, baseline: 1, value: 1, verdict: 'held' }])
  })

  it('fails when what is answered has become worse', async () => {
    const worse = [...GOLD.slice(0, 3), 'Lagos\tB-ORG', ...GOLD.slice(4)] // one of two names is not found
    aFile(`data/${SET}`, gzipSync(worse.join('\n')))

    await expect(check(wiring, { data }, aRecord(1))).rejects.toThrow(
      `quality check failed: span_f1 of ${SET} fell from 1.0000 to 0.5000`,
    )
  })

  it('records no part of the sets', async () => {
    aFile(`data/${SET}`, gzipSync(GOLD.join('\n')))

    await expect(check(wiring, { data, record: true }, aRecord(1))).rejects.toThrow('all sets together')
  })
})

it('records figures for programs and for readers, with day and models', async () => {
  const run = { measured_at: '2026-01-01', models: [], figures: [] }
  const page = ['sets', 'gate'].map((name) => `Text.\n<!-- ${name}: generated -->\n<!-- ${name}: end -->`).join('\n')
  const recordFiles = {
    json: aFile('made.json', JSON.stringify({ sets: run, gate: run })),
    page: aFile('made.md', page),
  }
  const figures = [{ name: 'a', measure: 'span_f1', value: 0.123456, n: 3 }]

  await record(wiring, { files: recordFiles, part: 'gate', figures })

  const { sets, gate } = QualityRecord.parse(JSON.parse(readFileSync(recordFiles.json, 'utf8')))
  expect(sets).toEqual(run)
  expect(gate.figures).toEqual([{ name: 'a', measure: 'span_f1', value: 0.1235, n: 3 }])
  expect(gate.measured_at).toBe(new Date(wiring.clock.now()).toISOString().slice(0, 10))
  expect(gate.models).toContain(model)
  expect(readFileSync(recordFiles.page, 'utf8')).toContain('| a | span_f1 | 0.1235 | 3 |')
})
