import { memoryMutants } from './memory-mutants.ts'
import type { Mutant } from './mutant.ts'
import { otherMutants } from './other-mutants.ts'
import { stageMutants } from './stage-mutants.ts'
import { tableMutants } from './table-mutants.ts'

/** Every planted mistake. A new guarantee brings its own: the mistake that would break it, and the test that says so. */
export const mutants: readonly Mutant[] = [...stageMutants, ...memoryMutants, ...tableMutants, ...otherMutants]
