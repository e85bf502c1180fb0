import { spawn } from 'node:child_process'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { huggingFaceEncoder } from '../../src/adapters/hugging-face/encoder.ts'
import { EncoderPool } from '../../src/adapters/onnx/encoder-pool.ts'
import { onnxEncoder } from '../../src/adapters/onnx/language-models.ts'
import { pieces } from '../../src/adapters/onnx/encoder-work.ts'
import { loadTokenizer, placedPieces } from '../../src/adapters/onnx/vocabulary.ts'
import { rowsOf } from '../../src/adapters/vectors.ts'
import type { Encoder, Passage } from '../../src/ports/encoder.ts'
import { projectPath } from '../../src/config/project-path.ts'
import { embedServer } from './embed-server.ts'
import { encoderContract } from './encoder.ts'

const { model } = inject('engines')

encoderContract('onnx, one process', () => onnxEncoder({ ...model, processes: 1 }))
encoderContract('onnx, two processes', () => onnxEncoder({ ...model, processes: 2 }))

describe('the ONNX encoder', () => {
  let encoder: Encoder
  beforeAll(async () => void (encoder = await onnxEncoder({ ...model, processes: 2 })))
  afterAll(() => encoder.close())

  const sentences = [
    'The Straßenbahn in Zürich “stopped” — 1,000 people waited; ΟΔΟΣ and 北京 did not.',
    'The bank raised rates. '.repeat(40).trim(),
    'A word at the end.',
  ]
  const passage = (terms: Passage['terms']): Passage => ({ title: 'Tram stops in Zürich', sentences, terms })

  it('returns lead and title of a passage, equal to the bit', async () => {
    const [vectors] = await encoder.passages([passage([])])

    expect([vectors?.lead]).toEqual(await encoder.leads([{ title: passage([]).title, body: sentences.join(' ') }]))
    expect([vectors?.title]).toEqual(await encoder.sentences([passage([]).title]))
  })

  it('returns the vector of a term in context, and none for a term beyond the window', async () => {
    const [vectors] = await encoder.passages([
      passage([
        { sentence: 0, start: 4, end: 15 },
        { sentence: 2, start: 2, end: 6 },
        { sentence: 1, start: 4, end: 8 },
      ]),
    ])
    const [tram, outside, bank] = vectors?.terms ?? []
    const [river] = await encoder.passages([
      { title: '', sentences: ['Boats lay on the bank of the river.'], terms: [{ sentence: 0, start: 17, end: 21 }] },
    ])

    expect([tram, bank].map((vector) => vector?.length)).toEqual([384, 384])
    expect(outside).toBeNull()
    expect(bank).not.toEqual(river?.terms[0]) // the same word in another context
  })

  it('uses the ids that its tokeniser returns for the whole text', async () => {
    const tokenizer = await loadTokenizer(model.tokenizer)
    const whole = (text: string) => tokenizer.encode(text, { add_special_tokens: false }).ids
    const placed = placedPieces(whole)
    const odd = [
      '[SEP]',
      'ΑΣ',
      "'",
      '.',
      ' ',
      '\n',
      '\f',
      '\u00a0',
      '\ufeff',
      '\u200b',
      '中',
      'e\u0301',
      'İ',
      '≠',
      '🎉',
    ]

    fc.assert(
      fc.property(fc.array(fc.oneof(fc.constantFrom(...odd), fc.string({ unit: 'grapheme' }))), (parts) => {
        expect(placed(parts.join('')).ids).toEqual(whole(parts.join('')))
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('an endpoint', () => {
  let onnx: Encoder
  let server: Server
  beforeAll(async () => {
    onnx = await onnxEncoder({ ...model, processes: 1 })
    server = await embedServer(onnx)
  })
  afterAll(async () => {
    server.close()
    await onnx.close()
  })

  encoderContract('hugging-face', () => {
    const { port } = server.address() as AddressInfo
    return Promise.resolve(
      huggingFaceEncoder({ url: `http://127.0.0.1:${port}/embed`, token: undefined, model: 'minilm' }),
    )
  })
})

describe('encoder processes', () => {
  const texts = Array.from({ length: 60 }, (_, i) => `Sentence ${i} speaks of the weather in spring. `.repeat(12))
  const encode = async (pool: EncoderPool) => (await pool.run(pieces('sentences', texts))).flatMap(rowsOf)

  it('a killed process is replaced, and its work repeated with the same result', async () => {
    const pool = await EncoderPool.start(model, 2)
    const undisturbed = await encode(pool)
    const before = pool.pids

    const disturbed = encode(pool)
    process.kill(before[0] ?? 0, 'SIGKILL')

    expect(await disturbed).toEqual(undisturbed)
    expect(await encode(pool)).toEqual(undisturbed)
    expect(pool.pids).toHaveLength(2)
    expect(pool.pids).not.toContain(before[0])
    await pool.close()
  })

  it('all end after close, and unfinished work is rejected', async () => {
    const pool = await EncoderPool.start(model, 2)
    const pids = pool.pids
    const undone = expect(encode(pool)).rejects.toThrow(/clos|ended/)
    await pool.close()

    await undone
    expect(pids.filter(isAlive)).toEqual([])
    await expect(encode(pool)).rejects.toThrow('closed')
  })

  it('end when their parent is killed', async () => {
    const parent = spawn(
      process.execPath,
      ['--import', 'tsx', projectPath('test/contracts/encoder-parent.ts'), model.onnx, model.tokenizer],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    const pids = await firstLine(parent.stdout)
    expect(pids.filter(isAlive)).toHaveLength(2)

    parent.kill('SIGKILL')

    await vi.waitFor(() => expect(pids.filter(isAlive)).toEqual([]), { timeout: 30_000 })
  })

  it('report in one sentence why they cannot start', async () => {
    await expect(EncoderPool.start({ ...model, tokenizer: '/nowhere.json' }, 2)).rejects.toThrow(
      'The language model cannot be loaded',
    )
  })
})

async function firstLine(stream: NodeJS.ReadableStream): Promise<number[]> {
  for await (const line of createInterface({ input: stream })) return JSON.parse(line) as number[]
  throw new Error('The parent said nothing')
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ESRCH') return false
    throw cause
  }
}
