import { wordList } from '../model-files.ts'

/** Printer's filler: the words of one famous page of Latin, and of its usual continuations. */
export const PLACEHOLDERS = wordList('quality/placeholders')
