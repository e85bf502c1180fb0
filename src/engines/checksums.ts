import { createHash } from 'node:crypto'
import { createReadStream, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'

/** Path (relative, with slashes) to SHA-256 in hex. */
export type Checksums = ReadonlyMap<string, string>

/** Parses the format of `sha256sum`: one `<hex>  <path>` per line. */
export const parseChecksums = (text: string): Checksums =>
  new Map(
    text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => [line.slice(66), line.slice(0, 64)] as const),
  )

/** The files that differ from their checksums, one sentence each. */
export async function differences(directory: string, checksums: Checksums): Promise<string[]> {
  const found = await Promise.all(
    [...checksums].map(async ([path, checksum]) => {
      const file = join(directory, path)
      if (!existsSync(file)) return `${path} is missing`
      return (await sha256(file)) === checksum ? null : `${path} has not the checksum it was pinned with`
    }),
  )
  return found.filter((difference) => difference !== null)
}

export async function sha256(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}

const Stamp = z.array(z.tuple([z.string(), z.number(), z.number(), z.string()]))
const stampFile = 'stamp.json'

/** Records size, modification time and checksum of each file, so that later starts need not read the files. */
export async function stamp(directory: string): Promise<void> {
  const rows = await Promise.all(
    filesUnder(directory).map(async (file) => {
      const { size, mtimeMs } = statSync(file)
      return [relative(directory, file), size, mtimeMs, await sha256(file)]
    }),
  )
  writeFileSync(join(directory, stampFile), JSON.stringify(rows))
}

/** Whether every file still has the recorded size and modification time. */
export function isAsStamped(directory: string): boolean {
  const rows = readStamp(directory)
  return rows?.every(([path, size, mtimeMs]) => isSame(join(directory, path), size, mtimeMs)) ?? false
}

/** The checksums of all files, as recorded when they were verified. */
export const stampedChecksums = (directory: string): Checksums =>
  new Map((readStamp(directory) ?? []).map(([path, , , hash]) => [path, hash]))

function readStamp(directory: string): z.infer<typeof Stamp> | null {
  const file = join(directory, stampFile)
  if (!existsSync(file)) return null
  const parsed = Stamp.safeParse(JSON.parse(readFileSync(file, 'utf8')))
  return parsed.success ? parsed.data : null
}

function isSame(file: string, size: number, mtimeMs: number): boolean {
  const found = statSync(file, { throwIfNoEntry: false })
  return found?.size === size && seconds(found.mtimeMs) === seconds(mtimeMs)
}

/** Rounds to seconds, because archives and container layers store whole seconds only. */
const seconds = (ms: number): number => Math.floor(ms / 1000)

const filesUnder = (directory: string): string[] =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== stampFile)
    .map((entry) => join(entry.parentPath, entry.name))
