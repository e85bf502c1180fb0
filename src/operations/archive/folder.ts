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
/** Written files have at most 32 MB plus one record before compression. */
const MAX_FILE_BYTES = 256 * 1024 * 1024

/** The folder of an archive. Files are written atomically. */
export class ArchiveFolder {
  readonly path: string

  constructor(path: string) {
    this.path = path
  }

  has(path: string): boolean {
    return existsSync(join(this.path, path))
  }

  /** `null` if there is none. Throws if it is not a valid manifest. */
  manifest(): Manifest | null {
    return this.has(MANIFEST) ? parseManifest(this.read(MANIFEST).toString('utf8')) : null
  }

  /**
   * A file that is not in the manifest does not belong to the archive, so the manifest is written after the files it
   * lists.
   */
  writeManifest(manifest: Manifest): void {
    this.write(MANIFEST, Buffer.from(manifestText(manifest)))
  }

  /** Accepts only a regular file of bounded size: an archive may be untrusted and may contain links to devices. */
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

/** The archive in a folder. Throws if there is none. */
export function openArchive(path: string): { readonly folder: ArchiveFolder; readonly manifest: Manifest } {
  const folder = new ArchiveFolder(path)
  const manifest = folder.manifest()
  if (manifest === null) throw new Error(`${path} is not an archive: ${MANIFEST} is missing`)
  return { folder, manifest }
}

/** The archive in a folder, or an empty one. */
export function archiveIn(path: string): { readonly folder: ArchiveFolder; readonly manifest: Manifest } {
  const folder = new ArchiveFolder(path)
  return { folder, manifest: folder.manifest() ?? emptyManifest }
}

export const sha256Hex = (content: Buffer): string => createHash('sha256').update(content).digest('hex')
