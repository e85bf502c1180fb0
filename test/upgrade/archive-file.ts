import { readFileSync, writeFileSync } from 'node:fs'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import avsc from 'avsc'
import { z } from 'zod'
import { readContainer } from '../../src/operations/archive/container.ts'
import { type ArchiveFolder, sha256Hex } from '../../src/operations/archive/folder.ts'
import { manifestText, type Manifest } from '../../src/operations/archive/manifest.ts'

/**
 * Several files in one, compressed with Brotli: a JSON line of their names and sizes, then their contents. Compressed
 * together they are a third of an archive, because one vector or text is in several topics.
 */
export function writePacked(path: string, files: ReadonlyMap<string, Buffer>): void {
  const names = [...files].map(([name, { length }]) => [name, length])
  const content = Buffer.concat([Buffer.from(`${JSON.stringify(names)}\n`), ...files.values()])
  const params = {
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
  }
  writeFileSync(path, brotliCompressSync(content, { params }))
}

const Names = z.array(z.tuple([z.string(), z.int().min(0)]))

export function readPacked(path: string): ReadonlyMap<string, Buffer> {
  const content = brotliDecompressSync(readFileSync(path))
  const end = content.indexOf('\n')
  let at = end + 1
  return new Map(
    Names.parse(JSON.parse(content.toString('utf8', 0, end))).map(([name, length]) => {
      const file = content.subarray(at, (at += length))
      return [name, file]
    }),
  )
}

/**
 * The files of an archive with blocks that are not compressed, which the format allows, and a manifest of them. Only so
 * does the compression above find what topics have in common.
 */
export function uncompressed(
  folder: ArchiveFolder,
  manifest: Manifest,
): { readonly manifest: Manifest; readonly files: ReadonlyMap<string, Buffer> } {
  const files = new Map<string, Buffer>()
  for (const { path } of manifest.schemas) files.set(path, folder.read(path))
  const listed = manifest.files.map((file) => {
    const content = withoutCompression(folder.read(file.path))
    files.set(file.path, content)
    return { ...file, bytes: content.length, sha256: sha256Hex(content) }
  })
  const plain = { ...manifest, files: listed }
  files.set('manifest.json', Buffer.from(manifestText(plain)))
  return { manifest: plain, files }
}

const SYNC_BYTES = 16
const Long = avsc.Type.forSchema('long')
const Bytes = avsc.Type.forSchema('bytes')
const Metadata = avsc.Type.forSchema({ type: 'map', values: 'bytes' })

function withoutCompression(file: Buffer): Buffer {
  const { schema, blocks } = readContainer(file)
  const sync = file.subarray(-SYNC_BYTES)
  const metadata = { 'avro.schema': Buffer.from(schema), 'avro.codec': Buffer.from('null') }
  const parts = [...blocks].map(({ count, data }) => Buffer.concat([Long.toBuffer(count), Bytes.toBuffer(data), sync]))
  return Buffer.concat([Buffer.from('Obj\u0001', 'latin1'), Metadata.toBuffer(metadata), sync, ...parts])
}
