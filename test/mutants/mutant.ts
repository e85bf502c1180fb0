/** The test that must fail once a mistake is in the code. */
export interface Guard {
  /** Test file, from the project's root. */
  readonly file: string
  /** Beginning of the test's full name, its `describe` included. */
  readonly test: string
  /** Against real engines; they are started for it. */
  readonly engines?: true
}

/** A mistake in delivering events, as somebody might make it: one place of one file, written otherwise. */
export interface Mutant {
  /** What it is called on the command line and in the report. */
  readonly name: string
  readonly file: string
  /** Stands in the file exactly once. */
  readonly find: string
  readonly replace: string
  readonly caughtBy: Guard
}

/** The code with the mistake in it. Throws when the place is not there any more, or there twice: the list is out of date. */
export function planted({ name, file, find, replace }: Mutant, code: string): string {
  const found = code.split(find).length - 1
  if (found !== 1) throw new Error(`mutant ${name}: its place stands in ${file} ${found} times; mend test/mutants`)
  return code.replace(find, () => replace)
}
