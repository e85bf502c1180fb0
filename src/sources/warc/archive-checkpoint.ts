import { appendFileSync, mkdirSync, readFileSync, rmSync, truncateSync } from 'node:fs'
import { dirname } from 'node:path'
import { z } from 'zod'
import { sha256 } from '../../events/ids.ts'
import { stateFile, statePath } from '../import-state.ts'
import type { ArchiveFilter } from './archive-filter.ts'
import type { ArticleKeys } from './seen-articles.ts'

const ArchivePosition = z.object({
  /** Records of the archive that are in the log or became no article. */
  records: z.int().min(0),
  /** End offset of the topic when this was saved. A log that ends earlier is another log. */
  logEnd: z.int().min(0),
  accepted: z.int().min(0),
  skipped: z.record(z.string(), z.int().min(0)),
  /** Length of the list of published articles. What follows was not accepted by the log. */
  publishedBytes: z.int().min(0),
  /** The whole archive was read; why it ended early, if it did. */
  ended: z.object({ damage: z.string().nullable() }).nullable(),
})
export type ArchivePosition = z.infer<typeof ArchivePosition>

export interface ImportedArticle extends ArticleKeys {
  readonly content_hash: string
}

/** The position of the import of an archive, and the articles published up to it. */
export interface ArchiveCheckpoint {
  load(): { readonly position: ArchivePosition; readonly published: readonly ImportedArticle[] } | null
  /** `published`: the articles since the last call. */
  save(position: Omit<ArchivePosition, 'publishedBytes'>, published: readonly ImportedArticle[]): void
  clear(): void
}

/** For inputs that cannot be read twice, and dry runs. */
export const noArchiveCheckpoint: ArchiveCheckpoint = {
  load: () => null,
  save: () => undefined,
  clear: () => undefined,
}

interface ArchiveIdentity {
  /** Hex SHA-256 of the file. */
  readonly fingerprint: string
  readonly namespace: string
  /** Another filter skips other records. */
  readonly filter: ArchiveFilter
}

/** Stored in the home folder. The list grows by each batch; the position is replaced. */
export function archiveCheckpoint(
  home: string,
  { fingerprint, namespace, filter }: ArchiveIdentity,
): ArchiveCheckpoint {
  const ofFilter = sha256(JSON.stringify(filter)).toString('hex').slice(0, 8)
  const name = `${fingerprint.slice(0, 32)}-${namespace}-${ofFilter}`
  const state = stateFile(home, `${name}.json`, ArchivePosition)
  const list = statePath(home, `${name}.list`)
  let publishedBytes = 0
  return {
    load: () => {
      const position = state.load()
      if (position === null) return null
      const published = readList(list, position.publishedBytes)
      if (published === null) return null
      publishedBytes = position.publishedBytes
      return { position, published }
    },
    save: (position, published) => {
      mkdirSync(dirname(list), { recursive: true })
      if (publishedBytes === 0) rmSync(list, { force: true })
      const lines = published.map((one) => `${one.article_id} ${one.content_hash} ${one.text_hash}\n`).join('')
      appendFileSync(list, lines)
      publishedBytes += lines.length
      state.save({ ...position, publishedBytes })
    },
    clear: () => {
      state.clear()
      rmSync(list, { force: true })
      publishedBytes = 0
    },
  }
}

/** `null` if the list is incomplete: the archive is imported from its start, which is safe. */
function readList(path: string, bytes: number): readonly ImportedArticle[] | null {
  try {
    const list = readFileSync(path)
    if (list.length < bytes) return null
    truncateSync(path, bytes) // what a killed import added after its last position
    const lines = list.toString('latin1', 0, bytes).split('\n').slice(0, -1)
    return lines.map((line) => {
      const [article_id = '', content_hash = '', text_hash = ''] = line.split(' ')
      return { article_id, content_hash, text_hash }
    })
  } catch {
    return null
  }
}
