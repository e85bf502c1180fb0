import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take a minute or more start first: one that starts last would run while the other cores idle. */
const FIRST = [
  'test/guarantees/service-maintained.test.ts',
  'test/guarantees/service-killed.test.ts',
  'test/pipeline/reprocess.test.ts',
  'test/pipeline/analysts-questions.test.ts',
  'test/pipeline/dashboard.test.ts',
  'test/guarantees/chaos-short.test.ts',
  'test/pipeline/isolation.test.ts',
  'test/pipeline/connectors.test.ts',
]

/** The long files first, then those with engines, then the unit tests, which fill what is left. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((a, b) => this.rank(a) - this.rank(b))
  }

  private rank({ moduleId }: TestSpecification): number {
    const place = FIRST.findIndex((file) => moduleId.endsWith(file))
    return place === -1 ? FIRST.length : place
  }
}
