import { link } from '../state/place.ts'
import { counted, entityType } from '../words/format.ts'
import type { DashboardStory } from '../words/story.ts'

const SHOWN = 6

/** The entities that most articles of a story or a subject page name. */
export function Named({ story: { entities } }: { readonly story: Pick<DashboardStory, 'entities'> }) {
  const types = Object.entries(entities).filter(([, some]) => some.length > 0)
  if (types.length === 0) return null
  return (
    <section>
      <h2>Who and what it names</h2>
      <dl class="named">
        {types.map(([type, some]) => (
          <div key={type}>
            <dt>{entityType(type)}</dt>
            <dd>
              {some.slice(0, SHOWN).map(({ id, name, article_count }) => (
                <a key={id} href={link('entities', id)} title={`in ${counted(article_count, 'article')}`}>
                  {name}
                </a>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
