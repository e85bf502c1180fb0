import { wordList } from '../model-files.ts'

/** Words that names of organisations are made of; compared in lower case. */
export const ORG_CUES = wordList('recogniser/org-cues')

/** Words that names of places are made of; compared in lower case. */
export const LOC_CUES = wordList('recogniser/loc-cues')
