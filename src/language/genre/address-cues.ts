import { wordList } from '../model-files.ts'

/** An article, as its genre is read from it. */
export interface GenreText {
  readonly url: string | null
  readonly title: string | null
  readonly source: string | null
  readonly author: string | null
  /** Without a leading copy of the title. */
  readonly body: string
  /** ISO 639-1, or `und`. */
  readonly language: string
}

/** Named evidence: true or 0 to 1. */
export type Cues = Readonly<Record<string, boolean | number>>

/** Sections, as words of an address's path or of a source's name, in some of the languages news is written in. */
const OPINION = wordList('genre/opinion')
const ANALYSIS = wordList('genre/analysis')
const BLOG = new Set('blog blogs corner tipsheet notebook'.split(' '))
const LIVE = /(?:^|\/)live(?:\/|-)|live-?(?:blog|coverage|updates?|ticker)|-live(?:\/|$)|as-it-happened|en-direct/u
const EXPLAINED =
  /fact-?check|explain|things-to-know|what-to-know|what-we-know|-know-about|-quiz|guide|timeline|q-and-a|what-is-|who-is-|faktencheck|-faq/u
const REACTION = /react|media|press|critics|pundits/u

/** More characters than an address says anything with. */
const MAX_CHARACTERS = 400

/** What the place says where an article stands: sections of its address, and who signs it. */
export function addressCues({ url, source, author }: GenreText): Cues {
  const path = pathOf(url)
  const sections = wordsOf(path.slice(0, Math.max(0, path.replace(/\/+$/u, '').lastIndexOf('/'))))
  const signed = (source ?? '').trim().toLowerCase()
  return {
    section_opinion: has(sections, OPINION) || path.includes('op-ed') || has(wordsOf(signed), OPINION),
    section_analysis: has(sections, ANALYSIS) || /(?:^|[-/])(?:news-)?analysis(?:[-/.]|$)/u.test(path),
    section_blog: has(sections, BLOG),
    address_live: LIVE.test(path),
    address_explained: EXPLAINED.test(path),
    address_reaction: REACTION.test(path),
    signed_by_person: signed !== '' && namesOf(author).some((name) => name === signed || signed.startsWith('guest ')),
  }
}

/** Lower case, without host and query; empty of what is no address. */
function pathOf(url: string | null): string {
  const path = /^[a-z]+:\/\/[^/?#]*([^?#]*)/iu.exec((url ?? '').slice(0, MAX_CHARACTERS))?.[1] ?? ''
  return path.toLowerCase()
}

/** The host of an address and the sections of its path, without the article's own name; empty of what is no address. */
export const addressOf = (url: string | null): string =>
  /^[a-z]+:\/\/(?:www\.)?([^/?#]*(?:\/[^/?#]+(?=\/[^/?#]))*)/iu.exec((url ?? '').slice(0, MAX_CHARACTERS))?.[1] ?? ''

const wordsOf = (text: string): readonly string[] => text.split(/[^\p{L}]+/u)

const has = (words: readonly string[], known: ReadonlySet<string>): boolean => words.some((word) => known.has(word))

const namesOf = (author: string | null): readonly string[] =>
  (author ?? '').split(',').map((name) => name.trim().toLowerCase())
