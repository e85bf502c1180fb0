import { createHash } from 'node:crypto'
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { emptyManifest, manifestText, parseManifest, type Manifest } from './manifest.ts'

const MANIFEST = 'manifest.json'
/** Ours are of 32 MB before they are packed, and one record more. */
const MAX_FILE_BYTES = 256 * 1024 * 1024

/** An archive's folder: a file is in it wholly or not at all. */
export class ArchiveFolder {
  readonly path: string

  constructor(path: string) {
    this.path = path
  }

  has(path: string): boolean {
    return existsSync(join(this.path, path))
  }

  /** Throws when there is one that is not ours. */
  manifest(): Manifest | null {
    return this.has(MANIFEST) ? parseManifest(this.read(MANIFEST).toString('utf8')) : null
  }

  /** What the manifest does not name is not in the archive: it is written behind the files it names. */
  writeManifest(manifest: Manifest): void {
    this.write(MANIFEST, Buffer.from(manifestText(manifest)))
  }

  /** A regular file of bounded size: an archive may come from anywhere, and with links to devices in it. */
  read(path: string): Buffer {
    const file = openSync(join(this.path, path), constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      const found = fstatSync(file)
      if (!found.isFile()) throw new Error(`${path} is not a regular file`)
      if (found.size > MAX_FILE_BYTES)
        throw new Error(`${path} has ${found.size} bytes; the limit is ${MAX_FILE_BYTES}`)
      return readFileSync(file)
    } finally {
      closeSync(file)
    }
  }

  write(path: string, content: Buffer): void {
    const to = join(this.path, path)
    mkdirSync(dirname(to), { recursive: true, mode: 0o700 })
    writeFileSync(`${to}.tmp`, content, { mode: 0o600, flush: true })
    renameSync(`${to}.tmp`, to)
  }
}

/** The archive in a folder. Throws where there is none. */
export function openArchive(path: string): { readonly folder: ArchiveFolder; readonly manifest: Manifest } {
  const folder = new ArchiveFolder(path)
  const manifest = folder.manifest()
  if (manifest === null) throw new Error(`${path} is not an archive: ${MANIFEST} is missing`)
  return { folder, manifest }
}

/** The archive in a folder, or the beginning of one. */
export function archiveIn(path: string): { readonly folder: ArchiveFolder; readonly manifest: Manifest } {
  const folder = new ArchiveFolder(path)
  return { folder, manifest: folder.manifest() ?? emptyManifest }
}

export const sha256Hex = (content: Buffer): string => createHash('sha256').update(content).digest('hex')
