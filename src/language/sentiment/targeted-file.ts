import { z } from 'zod'
import type { AttentionHead } from './attention.ts'
import type { Dense } from './matrices.ts'
import type { TargetedWeights } from './targeted-sentiment.ts'

const Head = z.object({
  width: z.number().int().positive(),
  /** Attention heads. */
  heads: z.number().int().min(0),
  /** Bytes of the graph, which comes next in the file. */
  graph: z.number().int().positive(),
  /** What follows it, in this order. */
  tensors: z.array(z.object({ name: z.string(), shape: z.array(z.number().int().positive()).min(1) })),
})

/**
 * The file, little-endian: length of the head (uint32), the head as JSON, the graph, then the tensors one behind the other
 * in float32. `models/sentiment/export.py` writes it.
 */
export function parseTargeted(file: Buffer): TargetedWeights {
  const start = 4 + file.readUInt32LE(0)
  const head = Head.parse(JSON.parse(file.toString('utf8', 4, start)))
  const tensors = tensorsOf(file.subarray(start + head.graph), head.tensors)
  const tensor = (name: string): Float32Array => {
    const found = tensors.get(name)
    if (found === undefined) throw new Error(`The sentiment weights have no ${name}`)
    return found
  }
  const denseOf = (name: string): Dense => ({ weights: tensor(`${name}.weights`), bias: tensor(`${name}.bias`) })
  const attentionOf = (_: unknown, i: number): AttentionHead => ({
    query: denseOf(`attention.${i}.query`),
    key: tensor(`attention.${i}.key`),
    distance: tensor(`attention.${i}.distance`),
  })
  return {
    width: head.width,
    graph: file.subarray(start, start + head.graph),
    attention: Array.from({ length: head.heads }, attentionOf),
    hidden: denseOf('hidden'),
    output: denseOf('output'),
    direct: tensor('direct'),
  }
}

function tensorsOf(bytes: Buffer, named: z.infer<typeof Head>['tensors']): ReadonlyMap<string, Float32Array> {
  const sizes = named.map(({ shape }) => shape.reduce((product, size) => product * size, 1))
  const total = sizes.reduce((sum, size) => sum + size, 0)
  if (bytes.length !== 4 * total) throw new Error(`The sentiment weights have ${bytes.length} bytes, not ${4 * total}`)
  let at = 0
  return new Map(
    named.map(({ name }, i) => {
      const from = at
      at += 4 * (sizes[i] ?? 0)
      return [name, Float32Array.from({ length: sizes[i] ?? 0 }, (_, k) => bytes.readFloatLE(from + 4 * k))] as const
    }),
  )
}
