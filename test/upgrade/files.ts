import { projectPath } from '../../src/config/project-path.ts'
import { allTopics } from '../../src/operations/archive/topics.ts'

export const FOLDER = projectPath('test/upgrade/recorded')

export const RECORDED_TOPICS = allTopics().filter((topic) => !topic.endsWith('.dead'))
