import type { PostObserved } from '../events/discourse.ts'
import type { ProducedBy } from '../events/envelope.ts'
import { derivedId } from '../events/ids.ts'
import type { PostFields } from '../domain/intake/posts.ts'

const BY: ProducedBy = { stage: 'import', version: '1' }

/** The event of an imported post. Its id follows from its content: importing it again is the same event again. */
export function observedPost(namespace: string, fields: PostFields): PostObserved {
  const content = Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1))
  const event_id = derivedId(BY, [namespace, fields.platform, fields.post_id, JSON.stringify(content)].join('\n'))
  return { event_id, namespace, ...fields }
}
