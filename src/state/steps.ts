/** Work that takes long, in steps: between two of them others of the process may have their turn. Its end alone is to be seen. */
export type Steps<Result> = Generator<undefined, Result, undefined>

/** One after the other, without a pause. */
export function allSteps<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}
