import { wordLists } from '../model-files.ts'

/**
 * The commonest words of a language, by ISO 639-1: between a fifth and a half of any prose, and almost nothing of a
 * keyword list. A language that is not here is not judged by them.
 */
export const FUNCTION_WORDS = wordLists('function-words')
