const NAME = 'oncall_session'

/** The token of the session cookie; of several (a parent path may have set one too) the first, as browsers order them. */
export function sessionTokenOf(cookieHeader: string | undefined): string | undefined {
  for (const pair of (cookieHeader ?? '').split(';')) {
    const [name, ...value] = pair.split('=')
    if (name?.trim() === NAME) return value.join('=').trim() || undefined
  }
  return undefined
}

/** @param expiresAt milliseconds since the epoch; @param secure when browsers reach the server over https */
export function sessionCookie(token: string, expiresAt: number, secure: boolean): string {
  const seconds = Math.max(0, Math.floor((expiresAt - Date.now()) / 1000))
  return `${NAME}=${token}; Max-Age=${seconds}; ${attributes(secure)}`
}

/** Makes a browser forget the session. */
export function endedSessionCookie(secure: boolean): string {
  return `${NAME}=; Max-Age=0; ${attributes(secure)}`
}

/** Strict: the page asks for everything itself, so no link from another site needs to carry the session. */
function attributes(secure: boolean): string {
  return `Path=/; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`
}
