import { createHash } from 'node:crypto'
import type { ProducedBy } from './envelope.ts'

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'

/** Lower-case RFC 4648 base32 without padding. */
export function base32(bytes: Uint8Array): string {
  let out = ''
  let buffer = 0
  let bits = 0
  for (const byte of bytes) {
    buffer = (buffer << 8) | byte
    bits += 8
    while (bits >= 5) {
      bits -= 5
      out += ALPHABET[(buffer >>> bits) & 31] ?? ''
    }
    buffer &= (1 << bits) - 1
  }
  return bits > 0 ? out + (ALPHABET[(buffer << (5 - bits)) & 31] ?? '') : out
}

export const sha256 = (text: string): Buffer => createHash('sha256').update(text, 'utf8').digest()
const id = (prefix: string, length: number, text: string): string => prefix + base32(sha256(text)).slice(0, length)

/** NFKC, white space collapsed, trimmed: what "the same text" means. */
export const normalisedText = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/\s{2,}|[^\S ]/gu, ' ')
    .trim()

/** The same content always has the same id; a URL, where there is one, is the deduplication key. */
export const articleId = (namespace: string, canonicalUrl: string | null, text: string): string =>
  id('art_', 26, `${namespace}\n${canonicalUrl ?? `text:${normalisedText(text)}`}`)

/** What distinguishes one revision of an article from the next: hex SHA-256 over title and normalised text. */
export const contentHash = (title: string | null, text: string): string =>
  sha256(`${title === null ? '' : normalisedText(title)}\n${normalisedText(text)}`)
    .toString('hex')
    .slice(0, 32)

/** Ids that last: from the namespace and the id of what was there first. */
const idFromFirst =
  (prefix: string) =>
  (namespace: string, firstId: string): string =>
    id(prefix, 26, `${namespace}\n${firstId}`)

/** A story's id: from the article that founded it. */
export const clusterId = idFromFirst('sto_')

/** One id per canonical name and type, the same in every namespace. */
export const entityId = (type: string, canonicalName: string): string => id('ent_', 16, `${type}\n${canonicalName}`)

/** A subject page's id: from the article that was first on it. */
export const subjectId = idFromFirst('sub_')

/** A narrative thread's id: from the story that was its first. */
export const threadId = idFromFirst('thr_')

/** The id of the re-prints of one text: from the article of the group that was first to arrive. */
export const syndicationGroup = idFromFirst('syn_')

/** A token of one revision of an article, by its place in the list. */
export const tokenId = (article: string, content: string, ordinal: number): string =>
  id('tok_', 26, `${article}\n${content}\n${ordinal}`)

export const embeddingId = (model: string, article: string, content: string): string =>
  id('emb_', 26, `${model}\n${article}\n${content}`)

/** The id of an event that follows from another: a repeated batch derives the same one. */
export const derivedId = (by: ProducedBy, inputEventId: string, ordinal = 0): string =>
  id('evt_', 26, `${by.stage}\n${by.version}\n${inputEventId}\n${ordinal}`)
