interface LinkPage {
  readonly title: string
  readonly text: string
  /** `null` if there is nothing to do. */
  readonly button: string | null
  /** Default: 200. */
  readonly status?: number
}

/** A page without scripts and styles. Its form posts to the address of the page, so it need not repeat the token. */
export function linkPage({ title, text, button, status = 200 }: LinkPage): Response {
  const form = button === null ? '' : `<form method="post"><button type="submit">${button}</button></form>`
  const body =
    '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">' +
    '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">' +
    `<title>${title}</title></head><body><h1>${title}</h1><p>${text}</p>${form}</body></html>\n`
  return new Response(body, { status, headers: { 'content-type': 'text/html; charset=utf-8' } })
}
