export interface MacroScore {
  /** Mean F1 of the classes, 0 to 1. */
  readonly f1: number
  readonly accuracy: number
  readonly classes: Readonly<Record<string, number>>
  readonly n: number
}

/** Macro-F1 over the classes that the gold holds. */
export function macroScore(gold: readonly string[], answers: readonly string[]): MacroScore {
  const names = [...new Set(gold)].sort()
  const classes = Object.fromEntries(names.map((name) => [name, f1Of(name, gold, answers)]))
  const right = gold.filter((label, i) => label === answers[i]).length
  const values = Object.values(classes)
  return {
    f1: values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length,
    accuracy: gold.length === 0 ? 0 : right / gold.length,
    classes,
    n: gold.length,
  }
}

function f1Of(name: string, gold: readonly string[], answers: readonly string[]): number {
  const right = gold.filter((label, i) => label === name && answers[i] === name).length
  const expected = gold.filter((label) => label === name).length
  const given = answers.filter((label) => label === name).length
  return expected + given === 0 ? 0 : (2 * right) / (expected + given)
}
