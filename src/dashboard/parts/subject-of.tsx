import { useAnswer } from '../state/answer.ts'
import { asOf, link } from '../state/place.ts'
import { bodyOf } from '../state/service.ts'

/** A link from a story to its subject page: the story knows only its id. */
export function SubjectOf({ id }: { readonly id: string }) {
  const as_of = asOf()
  const reply = useAnswer({
    name: `subject of ${id} ${as_of ?? ''}`,
    ask: async (api, signal) => {
      const params = { path: { cluster_id: id }, query: as_of === undefined ? {} : { as_of } }
      return bodyOf(await api.GET('/v1/clusters/{cluster_id}', { params, signal })).title
    },
  })
  return (
    <p class="part-of">
      Part of the subject <a href={link('subjects', id)}>{reply.kind === 'known' ? reply.value : '…'}</a>
    </p>
  )
}
