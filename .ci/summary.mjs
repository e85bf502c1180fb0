// Ends a run with its failed tests and the line of counts, read from the JSON report of the tests.
import { readFileSync } from 'node:fs'

const LONGEST_MESSAGE = 600
const { testResults, numPassedTests, numFailedTests, numPendingTests, numTodoTests } = JSON.parse(
  readFileSync('dist/test-report.json', 'utf8'),
)
const say = (file, name, message) =>
  console.log(`failed: ${file.slice(process.cwd().length + 1)} ${name}\n  ${message.slice(0, LONGEST_MESSAGE)}`)

for (const { name: file, message, assertionResults } of testResults) {
  const failed = assertionResults.filter(({ status }) => status === 'failed')
  for (const { fullName, failureMessages } of failed) say(file, fullName, failureMessages.join('\n'))
  if (failed.length === 0 && message) say(file, '(the file)', message)
}
const skipped = numPendingTests + numTodoTests
console.log(`${numPassedTests} passed, ${numFailedTests} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
