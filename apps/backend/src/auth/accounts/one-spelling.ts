/**
 * A user name as it is stored and looked for: without spaces around it, in Unicode's NFKC, so that full-width letters of
 * a Chinese keyboard are the plain ones, and nobody is called like somebody else.
 */
export function oneSpelling(username: string): string {
  return username.normalize('NFKC').trim()
}
