interface MacroScore {
  /** Mean F1 of the classes, 0 to 1. */
  readonly f1: number
  readonly accuracy: number
  readonly classes: Readonly<Record<string, number>>
  readonly n: number
}

/** Macro-F1 over the classes that occur in the gold labels. */
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

/** Scores of the predicted classes of a labelled file. */
export interface ClassMeasure {
  /** Number of judgements; `null` if the file has none. */
  readonly n: number | null
  readonly score: MacroScore
  /** JSON lines in the order and with the labels of the file. */
  readonly predictions: string
}

/** Scores of a model that was trained on labels. */
export interface LearnedMeasure extends ClassMeasure {
  /** Share of the judgements that the model was trained on, 0 to 1. They inflate the score. */
  readonly learned: number
}

interface JudgedAnswer {
  readonly gold: string
  readonly answer: string
}

export const judgedScore = (judged: readonly JudgedAnswer[]): Pick<ClassMeasure, 'n' | 'score'> => ({
  n: judged.length === 0 ? null : judged.length,
  score: macroScore(
    judged.map(({ gold }) => gold),
    judged.map(({ answer }) => answer),
  ),
})

export const learnedScore = (
  judged: readonly (JudgedAnswer & { readonly isLearned: boolean })[],
): Pick<LearnedMeasure, 'n' | 'score' | 'learned'> => ({
  ...judgedScore(judged),
  learned: judged.filter(({ isLearned }) => isLearned).length / Math.max(1, judged.length),
})
