import { createRequire } from 'node:module'
import { parseTagLexicon, type PennLexicon, type TagLexicon } from './part-of-speech.ts'

const LEXICON = 'natural/lib/natural/brill_pos_tagger/data/English/lexicon_from_posjs.json'

let opened: TagLexicon | undefined

/** The English words and tags of `natural`'s Brill tagger, loaded once; its rules are in `part-of-speech.ts`, made fast. */
export function openTagLexicon(): TagLexicon {
  const load = createRequire(import.meta.url) as (path: string) => PennLexicon
  return (opened ??= parseTagLexicon(load(LEXICON)))
}
