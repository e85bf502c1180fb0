import { useRef, useState } from 'preact/hooks'
import type { ShownMonitor } from './answers.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { Entry } from './entries.tsx'
import { change, pathOf } from './requests.ts'

interface FeedLinkProperties {
  readonly monitor: Pick<ShownMonitor, 'id' | 'has_feed'>
  readonly changed: () => void
}

/** The Atom feed of a monitor. Its address contains a secret and is shown only after it was created. */
export function FeedLink({ monitor: { id, has_feed }, changed }: FeedLinkProperties) {
  const [url, setUrl] = useState('')
  const [said, setSaid] = useState('')
  const [question, ask] = useState<'rotate' | 'revoke' | null>(null)
  const send = async (method: 'post' | 'delete'): Promise<void> => {
    const result = await change<{ readonly url: string } | undefined>({ method, path: `${pathOf(id)}/feed-token` })
    if (result.kind !== 'done') {
      setSaid(result.kind === 'failed' ? result.message : 'The request is invalid.')
      return
    }
    setUrl(result.value?.url ?? '')
    setSaid(method === 'post' ? 'Feed link created. Store it now: it is not shown again.' : 'Feed link removed.')
    changed()
  }
  return (
    <section aria-labelledby="feed-title">
      <h2 id="feed-title">Atom feed</h2>
      <p class="quiet">The newest 50 matches for feed readers. The link needs no API key: keep it secret.</p>
      <p role="status">{said}</p>
      {url !== '' && <NewLink url={url} />}
      <div class="actions">
        <button type="button" onClick={() => (has_feed ? ask('rotate') : void send('post'))}>
          {has_feed ? 'Create a new link' : 'Create the feed link'}
        </button>
        {has_feed && (
          <button type="button" onClick={() => ask('revoke')}>
            Remove the feed
          </button>
        )}
      </div>
      {question !== null && (
        <ConfirmDialog
          title={question === 'rotate' ? 'Create a new link?' : 'Remove the feed?'}
          text="The present link stops working."
          action={question === 'rotate' ? 'Create link' : 'Remove feed'}
          confirm={() => void send(question === 'rotate' ? 'post' : 'delete')}
          closed={() => ask(null)}
        />
      )}
    </section>
  )
}

/** The link in a field, and a button that copies it. */
function NewLink({ url }: { readonly url: string }) {
  const input = useRef<HTMLInputElement>(null)
  const [said, setSaid] = useState('')
  const copy = async (): Promise<void> => {
    input.current?.select()
    const isCopied = await copied(url)
    setSaid(isCopied ? 'Copied.' : 'Copying is not allowed here: the link is selected.')
  }
  return (
    <Entry id="feed-link" label="Feed link, shown once">
      <div class="beside-field">
        <input id="feed-link" ref={input} readOnly value={url} />
        <button type="button" onClick={() => void copy()}>
          Copy
        </button>
      </div>
      <small role="status">{said}</small>
    </Entry>
  )
}

/** Browsers allow it on https and localhost only. */
async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}
