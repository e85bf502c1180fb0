import { articlesIngested } from '../../events/articles.ts'
import { logEnd, type ArticleImportPorts } from '../import-articles.ts'
import type { PageExtractor } from '../pages/extract-page.ts'
import { publisher } from '../publisher.ts'
import type { ArchiveCheckpoint, ArchivePosition, ImportedArticle } from './archive-checkpoint.ts'
import { archiveOutcomes, type ArchiveOutcome, type ArchiveReading } from './archive-outcomes.ts'
import { ArchiveCounts, type ArchiveTally } from './archive-tally.ts'
import { DamagedArchive } from './damaged-archive.ts'
import type { SeenArticles } from './seen-articles.ts'

export interface ArchiveSource extends Omit<ArchiveReading, 'bytes' | 'done'> {
  /** Opens the archive; its bytes are uncompressed. */
  readonly open: () => Promise<AsyncIterable<Buffer>>
  readonly extractor: PageExtractor
  /** The articles of this import, in all its archives. */
  readonly seen: SeenArticles
}

export interface ArchiveImport extends ArchiveSource {
  /** Articles per second; `null` for no limit. */
  readonly rate: number | null
  readonly checkpoint: ArchiveCheckpoint
}

/**
 * Imports the articles of an archive into `articles.ingested`, in its order. Returns why it ended early, or `null`. A
 * killed import resumes after the last batch that the log accepted: earlier records are passed over, and what became of
 * them is in the checkpoint.
 */
export async function importArchive(
  archive: ArchiveImport,
  ports: ArticleImportPorts,
  tally: ArchiveTally,
): Promise<string | null> {
  const { checkpoint, seen } = archive
  const end = await logEnd(ports.log)
  const before = resume(archive, end, tally)
  const counts = new ArchiveCounts(before ?? undefined)
  tally.archives.push(counts)
  if (before !== null && before.ended !== null) return before.ended.damage

  const pending: ImportedArticle[] = []
  const save = (events: number, ended: ArchivePosition['ended']): void => {
    const { records, accepted, skipped } = counts
    const position = { records, accepted, skipped: Object.fromEntries(skipped), logEnd: end + events, ended }
    checkpoint.save(position, pending.splice(0))
  }
  let published = 0
  const out = publisher(ports, {
    topic: articlesIngested,
    rate: archive.rate,
    onAccepted: (events) => {
      published = events
      save(events, null)
    },
  })
  const damage = await eachOutcome(archive, counts.records, async (outcome) => {
    const unique = withoutDuplicate(outcome, seen)
    counts.add(unique) // before it is added to a batch, because a batch that is sent by that contains this record
    if (unique.kind === 'article') {
      const { article_id, content_hash, text_hash, event } = unique.article
      pending.push({ article_id, content_hash, text_hash })
      tally.accept(unique.article)
      await out.add(event)
    }
    ports.onProgress()
  })
  await out.flush()
  save(published, { damage })
  return damage
}

/** A dry run: counts what would become of each record. Returns why the archive ended early, or `null`. */
export function tryArchive(
  archive: ArchiveSource,
  onProgress: () => void,
  tally: ArchiveTally,
): Promise<string | null> {
  const counts = new ArchiveCounts()
  tally.archives.push(counts)
  return eachOutcome(archive, 0, async (outcome) => {
    const unique = withoutDuplicate(outcome, archive.seen)
    counts.add(unique)
    if (unique.kind === 'article') tally.accept(unique.article)
    onProgress()
  })
}

/**
 * The position to resume from; `null` for the start. If the log ends before the position, it is another log. What was
 * published before is counted and known.
 */
function resume({ checkpoint, seen }: ArchiveImport, logEndNow: number, tally: ArchiveTally): ArchivePosition | null {
  const saved = checkpoint.load()
  if (saved === null || logEndNow < saved.position.logEnd) {
    checkpoint.clear()
    return null
  }
  for (const article of saved.published) {
    seen.add(article)
    tally.accept(article)
  }
  return saved.position
}

/** An article whose address or text was seen before is skipped; any other is seen from now on. */
function withoutDuplicate(outcome: ArchiveOutcome, seen: SeenArticles): ArchiveOutcome {
  if (outcome.kind === 'skipped') return outcome
  if (seen.has(outcome.article)) return { kind: 'skipped', reason: 'duplicate' }
  seen.add(outcome.article)
  return outcome
}

async function eachOutcome(
  archive: ArchiveSource,
  done: number,
  handle: (outcome: ArchiveOutcome) => Promise<void>,
): Promise<string | null> {
  const bytes = await archive.open()
  try {
    for await (const outcome of archiveOutcomes({ ...archive, bytes, done }, archive.extractor)) await handle(outcome)
    return null
  } catch (cause) {
    if (cause instanceof DamagedArchive) return cause.message
    throw cause
  }
}
