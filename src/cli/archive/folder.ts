import { createHash } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { emptyManifest, manifestText, parseManifest, type Manifest } from '../../archive/manifest.ts'

const MANIFEST = 'manifest.json'

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

  read(path: string): Buffer {
    return readFileSync(join(this.path, path))
  }

  write(path: string, content: Buffer): void {
    const to = join(this.path, path)
    mkdirSync(dirname(to), { recursive: true, mode: 0o700 })
    const file = openSync(`${to}.tmp`, 'w', 0o600)
    try {
      writeFileSync(file, content)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(`${to}.tmp`, to)
  }
}

/** The archive in a folder. Throws where there is none. */
export function openArchive(path: string): { readonly folder: ArchiveFolder; readonly manifest: Manifest } {
  const folder = new ArchiveFolder(path)
  const manifest = folder.manifest()
  if (manifest === null) throw new Error(`${path} holds no archive: ${MANIFEST} is missing`)
  return { folder, manifest }
}

/** The archive in a folder, or the beginning of one. */
export function archiveIn(path: string): { readonly folder: ArchiveFolder; readonly manifest: Manifest } {
  const folder = new ArchiveFolder(path)
  return { folder, manifest: folder.manifest() ?? emptyManifest }
}

export const sha256Hex = (content: Buffer): string => createHash('sha256').update(content).digest('hex')
