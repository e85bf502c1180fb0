import { getChanges } from './change-tools.ts'
import { getEntity, listEntities } from './entity-tools.ts'
import { getPublicResponse } from './reception-tools.ts'
import { getRelationships } from './relationship-tools.ts'
import { getStory } from './story-detail.ts'
import { explainMembership, searchArticles, searchStories } from './story-tools.ts'
import type { AssistantTool } from './tool.ts'
import { listTrends } from './trend-tools.ts'

/** Every tool for AI assistants, in the order in which they are listed. */
export const TOOLS: readonly AssistantTool[] = [
  searchStories,
  searchArticles,
  getStory,
  explainMembership,
  listEntities,
  getEntity,
  getRelationships,
  listTrends,
  getPublicResponse,
  getChanges,
]
