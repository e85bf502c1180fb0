import { useEffect, useRef } from 'preact/hooks'

interface ConfirmDialogProperties {
  readonly title: string
  readonly text: string
  /** The label of the button. */
  readonly action: string
  readonly confirm: () => void
  /** Called when the dialog was closed, by any means. */
  readonly closed: () => void
}

/** Asks before something that cannot be undone. The focus returns to the button that opened it. */
export function ConfirmDialog({ title, text, action, confirm, closed }: ConfirmDialogProperties) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  const close = (): void => dialog.current?.close()
  return (
    <dialog ref={dialog} class="help" aria-labelledby="confirm-title" aria-describedby="confirm-text" onClose={closed}>
      <h2 id="confirm-title">{title}</h2>
      <p id="confirm-text">{text}</p>
      <div class="actions">
        <button type="button" onClick={close} autofocus>
          Cancel
        </button>
        <button
          type="button"
          class="bad"
          onClick={() => {
            close()
            confirm()
          }}
        >
          {action}
        </button>
      </div>
    </dialog>
  )
}
