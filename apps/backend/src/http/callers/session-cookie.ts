const NAME = 'oncall_session'
/**
 * Seconds that a browser keeps the cookie: as long as any does, 400 days. When the session ends is the server's to say,
 * and each use puts that off.
 */
const KEPT_SECONDS = 34_560_000

/** The token of the session cookie; of several (a parent path may have set one too) the first, as browsers order them. */
export function sessionTokenOf(cookieHeader: string | undefined): string | undefined {
  for (const pair of (cookieHeader ?? '').split(';')) {
    const [name, ...value] = pair.split('=')
    if (name?.trim() === NAME) return value.join('=').trim() || undefined
  }
  return undefined
}

/** @param secure when browsers reach the server over https */
export function sessionCookie(token: string, secure: boolean): string {
  return `${NAME}=${token}; Max-Age=${KEPT_SECONDS}; ${attributes(secure)}`
}

/** Makes a browser forget the session. */
export function endedSessionCookie(secure: boolean): string {
  return `${NAME}=; Max-Age=0; ${attributes(secure)}`
}

/** Strict: the page asks for everything itself, so no link from another site needs to carry the session. */
function attributes(secure: boolean): string {
  return `Path=/; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`
}
