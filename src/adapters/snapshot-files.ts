import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { CheckpointFailed, type OpenedSnapshot, type SavedUpTo, type Snapshots } from '../ports/checkpoints.ts'
import { systemClock } from './clock.ts'
import { jsonSection, readJson, type StateSection } from '../state/sections.ts'

const SAVED = '.snapshot'
const PARTIAL = '.partial'
/** A file that nobody has extended for this time belongs to a process that was killed. */
const ABANDONED_MS = 10 * 60 * 1000
/** Takes the place of a length after the last section. */
const END = -1

/**
 * States in files, one each. A file is complete before it gets its name. Format: for each section its length in bytes
 * (float64, little-endian), then its bytes; the first section is `SavedUpTo` as JSON, and -1 is the end.
 */
export const snapshotFiles = (folder: string): Snapshots => ({
  save: (name, savedUpTo, sections) => failing(() => save(join(folder, name), savedUpTo, sections)),
  open: (name) => failing(() => opened(join(folder, `${name}${SAVED}`))),
  names: () => failing(() => names(folder)),
  delete: (name) => failing(() => rm(join(folder, `${name}${SAVED}`), { force: true })),
})

async function failing<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (cause) {
    throw new CheckpointFailed('the saved state cannot be used', { cause })
  }
}

async function names(folder: string): Promise<readonly string[]> {
  await mkdir(folder, { recursive: true })
  const files = await readdir(folder)
  for (const file of files) if (file.endsWith(PARTIAL)) await deleteAbandoned(join(folder, file))
  return files.filter((file) => file.endsWith(SAVED)).map((file) => file.slice(0, -SAVED.length))
}

async function deleteAbandoned(path: string): Promise<void> {
  const found = await stat(path).catch(() => null) // another process may have completed it
  if (found !== null && systemClock.now() - found.mtimeMs > ABANDONED_MS) await rm(path, { force: true })
}

async function save(path: string, savedUpTo: SavedUpTo, sections: Iterable<StateSection>): Promise<number> {
  await mkdir(join(path, '..'), { recursive: true })
  const partial = `${path}.${randomUUID()}${PARTIAL}` // another process may save the same state
  try {
    const file = await open(partial, 'wx')
    try {
      for (const part of framed(savedUpTo, sections)) await file.writeFile(part) // goes on where the last part ended
      await file.sync()
      const { size } = await file.stat()
      await rename(partial, `${path}${SAVED}`)
      return size
    } finally {
      await file.close()
    }
  } catch (cause) {
    await rm(partial, { force: true })
    throw cause
  }
}

function* framed(savedUpTo: SavedUpTo, sections: Iterable<StateSection>): Generator<StateSection> {
  yield* withLength(jsonSection(savedUpTo))
  for (const section of sections) yield* withLength(section)
  yield lengthBytes(END)
}

function* withLength(section: StateSection): Generator<StateSection> {
  yield lengthBytes(section.length)
  if (section.length > 0) yield section
}

const lengthBytes = (length: number): StateSection => new Uint8Array(Float64Array.of(length).buffer)

async function opened(path: string): Promise<OpenedSnapshot | null> {
  const file = await open(path, 'r').catch((cause: unknown) => {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return null
    throw cause
  })
  if (file === null) return null
  const reading = new Reading(file, (await file.stat()).size)
  try {
    const savedUpTo = await readJson<SavedUpTo>(reading)
    return {
      ...{ savedUpTo, bytes: reading.size },
      next: () => failing(() => reading.next()),
      close: () => reading.close(),
    }
  } catch (cause) {
    await reading.close()
    throw cause
  }
}

/** Reads the sections of a file, each while the one before it is in use. */
class Reading {
  readonly size: number
  private readonly file: FileHandle
  private position = 0
  /** The length of the section after the one that is being read. */
  private length = new Float64Array(1)
  private ahead: Promise<ArrayBufferLike>

  constructor(file: FileHandle, size: number) {
    this.file = file
    this.size = size
    this.ahead = this.first()
  }

  async next(): Promise<ArrayBufferLike> {
    const section = await this.ahead
    this.ahead = this.section()
    this.ahead.catch(() => undefined) // the next call reports the error
    return section
  }

  async close(): Promise<void> {
    await this.ahead.catch(() => undefined)
    await this.file.close()
  }

  private async first(): Promise<ArrayBufferLike> {
    await this.fill([new Uint8Array(this.length.buffer)])
    return this.section()
  }

  /** A read may return less than it was called for. */
  private async fill(arrays: readonly Uint8Array[]): Promise<void> {
    let rest = arrays.filter(({ length }) => length > 0)
    while (rest.length > 0) {
      let { bytesRead: read } = await this.file.readv(rest, this.position)
      if (read === 0) throw new Error('the file was cut off')
      this.position += read
      rest = rest.flatMap((array) => {
        const done = Math.min(read, array.length)
        read -= done
        return done === array.length ? [] : [array.subarray(done)]
      })
    }
  }

  /** Reads a section together with the length of the next one. Shared memory does not press for garbage collections. */
  private async section(): Promise<ArrayBufferLike> {
    const [length = NaN] = this.length
    if (!(length >= 0 && this.position + length < this.size)) throw new Error('the file ends before its sections')
    const bytes = new Uint8Array(new SharedArrayBuffer(length))
    this.length = new Float64Array(1)
    await this.fill([bytes, new Uint8Array(this.length.buffer)])
    return bytes.buffer
  }
}
