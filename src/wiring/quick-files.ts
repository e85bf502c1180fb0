import { openQuickFiles, type QuickFiles } from '../language/recogniser/quick-tagger.ts'

let opened: QuickFiles | undefined

/** Word lists, places and weights that need no language model; read at the first use. */
export const quickFiles = (): QuickFiles => (opened ??= openQuickFiles().files)
