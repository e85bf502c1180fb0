/** The package's own types know only its root, which loads database drivers. */
declare module 'natural/lib/natural/stemmers/porter_stemmer.js' {
  const stemmer: { readonly stem: (word: string) => string }
  export default stemmer
}
