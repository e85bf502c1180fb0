/**
 * Long work split into steps, so that other work of the process can run between them. Only the final result is visible.
 */
export type Steps<Result> = Generator<undefined, Result, undefined>

/** Runs all steps without a pause. */
export function allSteps<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}
