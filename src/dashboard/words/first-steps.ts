/** Ways to get articles into an empty service. */
export const FIRST_STEPS = [
  {
    title: 'Choose outlets from public lists, then start the service again',
    command: 'npx story init',
  },
  {
    title: 'Watch an outlet from now on',
    command: 'npx story feeds add https://www.example.com/',
  },
  {
    title: 'Import a file of articles',
    command: 'npx story import jsonl articles.jsonl',
  },
  {
    title: 'Try it with sample news of two weeks, whose dates are invented',
    command: 'npx story import sample',
  },
] as const
