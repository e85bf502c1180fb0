import { parted } from '../words.ts'
import type { StoryTarget } from '../targets.ts'

/** A search of one story: words that all have to be there, or an address that has to be linked to. */
export type BlueskyQuestion =
  { readonly kind: 'words'; readonly q: string } | { readonly kind: 'link'; readonly url: string }

const MAX_WORDS = 5
const MAX_LINKS = 5

/**
 * What is asked about a story: the newest articles by their address, and each pair of terms of which one is a name (a
 * story that names nobody: its two first terms and one more). The search has no agreed sign for "or", so each is asked
 * by itself.
 */
export function questionsOf(target: StoryTarget): readonly BlueskyQuestion[] {
  const links = target.urls.slice(0, MAX_LINKS).map((url): BlueskyQuestion => ({ kind: 'link', url }))
  const words = termsTogether(target).slice(0, MAX_WORDS)
  return [...links, ...words.map((terms): BlueskyQuestion => ({ kind: 'words', q: terms.map(phrase).join(' ') }))]
}

function termsTogether(target: StoryTarget): readonly (readonly string[])[] {
  const { names, words } = parted(target)
  const [first, second] = names
  if (first === undefined) {
    const [sure, rest] = [words.slice(0, 2), words.slice(2)]
    return rest.length === 0 ? [sure].filter(({ length }) => length > 0) : rest.map((word) => [...sure, word])
  }
  if (second === undefined && words.length === 0) return [[first]]
  const withFirst = [...names.slice(1), ...words].map((term) => [first, term])
  return [...withFirst, ...names.slice(1).flatMap((name) => words.map((word) => [name, word]))]
}

const phrase = (term: string): string => `"${term.replace(/["\\]+/g, ' ').trim()}"`
