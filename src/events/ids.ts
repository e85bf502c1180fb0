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

/** Normalises text for comparison: NFKC, white space collapsed, trimmed. */
export const normalisedText = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/\s{2,}|[^\S ]/gu, ' ')
    .trim()

/** The id of an article, derived from its URL; without a URL, from its text. */
export const articleId = (namespace: string, canonicalUrl: string | null, text: string): string =>
  id('art_', 26, `${namespace}\n${canonicalUrl ?? `text:${normalisedText(text)}`}`)

/** Identifies a revision of an article: hex SHA-256 of title and normalised text. */
export const contentHash = (title: string | null, text: string): string =>
  sha256(`${title === null ? '' : normalisedText(title)}\n${normalisedText(text)}`)
    .toString('hex')
    .slice(0, 32)

/** Derives a stable id from the namespace and the id of the first member. */
const idFromFirst =
  (prefix: string) =>
  (namespace: string, firstId: string): string =>
    id(prefix, 26, `${namespace}\n${firstId}`)

/** A story's id, derived from its first article. */
export const clusterId = idFromFirst('sto_')

/** One id per canonical name and type, the same in every namespace. */
export const entityId = (type: string, canonicalName: string): string => id('ent_', 16, `${type}\n${canonicalName}`)

/** A subject page's id, derived from its first article. */
export const subjectId = idFromFirst('sub_')

/** A thread's id, derived from its first story. */
export const threadId = idFromFirst('thr_')

/** The id of a syndication group, derived from its first article to arrive. */
export const syndicationGroup = idFromFirst('syn_')

/** The id of a token in one revision of an article, by its index in the list. */
export const tokenId = (article: string, content: string, ordinal: number): string =>
  id('tok_', 26, `${article}\n${content}\n${ordinal}`)

export const embeddingId = (model: string, article: string, content: string): string =>
  id('emb_', 26, `${model}\n${article}\n${content}`)

/** The id of a feed or page that is fetched. `about` identifies it. */
export const documentId = (about: string): string => id('doc_', 26, about)

/** The id of an event that a stage derives from an input event. A repeated batch derives the same id. */
export const derivedId = (by: ProducedBy, inputEventId: string, ordinal = 0): string =>
  id('evt_', 26, `${by.stage}\n${by.version}\n${inputEventId}\n${ordinal}`)
