import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { projectPath } from '../../../src/config/project-path.ts'
import { startStory, stopAllStories } from '../../pipeline/story.ts'
import { virtualEnvironment } from './virtual-environment.ts'

const CLIENT = 'mcp==2.3.0'

/** An MCP client in another language answers questions about the sample, over HTTP and over stdio. */
async function main(): Promise<void> {
  const bin = virtualEnvironment(CLIENT, 'mcp')
  const story = await startStory()
  const { url, key, home } = story
  await story.cli('import', 'sample', '--no-stream', '--wait')

  const file = join(home, 'mcp-check.json')
  const command = [process.execPath, projectPath('dist/main.js'), 'mcp']
  await writeFile(file, JSON.stringify({ url, key, command, environment: { STORY_HOME: home } }))
  execFileSync(join(bin, 'python'), [projectPath('test/clients/python/mcp_check.py'), file], { stdio: 'inherit' })
}

try {
  await main()
} catch (cause) {
  console.error(cause instanceof Error ? cause.message : cause)
  process.exitCode = 1
} finally {
  await stopAllStories()
}
