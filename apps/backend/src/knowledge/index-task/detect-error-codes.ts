/**
 * Finds the error codes that a text names. Precise over greedy: a code counts when its form alone says that it is one,
 * or when a word right before it does. A number by itself never counts.
 *
 * By form: `E_CONN_RESET`, `ERR_…`, `ERROR_…` · names of POSIX errors in capitals (`ECONNREFUSED`) · numbers of database
 * products (`ORA-00942`, `MY-010457`) · `ERR-42`, `ERROR-42` · failures of Windows, `0x8…` or `0xC…` with eight digits ·
 * DB2's `SQL0911N`.
 * By the word before: `HTTP 503`, `HTTP/1.1 502`, `HTTP 状态码 504` (given as `HTTP 503`) · MySQL's `ERROR 1205 (HY000)` ·
 * `SQLSTATE 40001` · `SQLCODE -911` · `error code`, `errno`, `错误码`, `错误代码`, `错误号`, `故障码`, `故障代码`, `返回码`
 * and then `1205` or `E101`.
 */
export function detectErrorCodes(text: string, limit: number): readonly string[] {
  if (limit <= 0) return []
  const found = new Map<string, string>()
  for (const match of text.matchAll(patterns)) {
    const code = codeOf(match.groups!)
    const key = code.toUpperCase()
    if (code.length <= LONGEST && !found.has(key)) found.set(key, code)
    if (found.size >= limit) break
  }
  return [...found.values()]
}

/** Longer names are constants of a program that nobody types into a filter. */
const LONGEST = 64

/** POSIX names that runbooks name; a list, because most words in capitals that begin with E are none. */
const POSIX = [
  ['EACCES', 'EADDRINUSE', 'EADDRNOTAVAIL', 'EAGAIN', 'EAI_AGAIN', 'EBADF', 'EBUSY', 'ECANCELED', 'ECONNABORTED'],
  ['ECONNREFUSED', 'ECONNRESET', 'EDEADLK', 'EDQUOT', 'EEXIST', 'EFAULT', 'EFBIG', 'EHOSTDOWN', 'EHOSTUNREACH'],
  ['EINTR', 'EINVAL', 'EIO', 'EISDIR', 'ELOOP', 'EMFILE', 'EMLINK', 'EMSGSIZE', 'ENAMETOOLONG', 'ENETDOWN'],
  ['ENETUNREACH', 'ENFILE', 'ENOBUFS', 'ENODEV', 'ENOENT', 'ENOEXEC', 'ENOLCK', 'ENOMEM', 'ENOSPC', 'ENOSYS'],
  ['ENOTCONN', 'ENOTDIR', 'ENOTEMPTY', 'ENOTFOUND', 'ENOTSUP', 'ENXIO', 'EOVERFLOW', 'EPERM', 'EPIPE', 'EPROTO'],
  ['ERANGE', 'EROFS', 'ESHUTDOWN', 'ESPIPE', 'ESRCH', 'ESTALE', 'ETIMEDOUT', 'ETXTBSY', 'EXDEV']
].flat()

/** Prefixes that products number their messages with; any other word before a number may be a ticket or a standard. */
const PRODUCTS = [
  'ORA',
  'TNS',
  'PLS',
  'RMAN',
  'CRS',
  'PRVF',
  'PRVG',
  'ASM',
  'DGM',
  'IMP',
  'EXP',
  'LRM',
  'LPX',
  'MY',
  'DIA'
]

const byForm = [
  String.raw`(?:E|ERR|ERROR)_[A-Z0-9]+(?:_[A-Z0-9]+)*`,
  POSIX.join('|'),
  String.raw`(?:${PRODUCTS.join('|')})-\d{4,6}`,
  String.raw`(?:ERR|ERROR)-\d{1,6}`,
  String.raw`0[xX][8Cc][0-9A-Fa-f]{7}`,
  String.raw`SQL\d{4,5}[NCW]`
].join('|')

const named = String.raw`[Ee]rror [Cc]ode|ERROR CODE|[Ee]rrno|ERRNO|错误码|错误代码|错误号|故障码|故障代码|返回码`
const gap = String.raw`\s{0,3}(?:[:：=#]|is|为|是)?\s{0,3}`

/** Neither letters nor digits of ASCII on either side; Chinese is written without spaces. */
const before = String.raw`(?<![A-Za-z0-9_])`
const after = String.raw`(?![A-Za-z0-9_])`

const patterns = new RegExp(
  [
    String.raw`${before}(?<form>${byForm})${after}`,
    String.raw`${before}HTTP(?:/\d(?:\.\d)?)?\s{0,3}(?:[Ss]tatus\s{0,3})?(?:[Cc]ode|状态码|错误码|错误)?\s{0,3}[:：=]?\s{0,3}(?<http>[45]\d\d)${after}`,
    String.raw`${before}ERROR (?<mysql>\d{4,5}) \([0-9A-Z]{5}\)`,
    String.raw`${before}SQLSTATE[\s:=\[]{1,3}(?<sqlstate>[0-9A-Z]{5})${after}`,
    String.raw`${before}SQLCODE[\s:=]{1,3}(?<sqlcode>-?\d{1,5})${after}`,
    String.raw`(?:${named})${gap}(?<named>[A-Z]{0,5}[-_]?\d{2,6})${after}`
  ].join('|'),
  'g'
)

function codeOf(groups: Record<string, string | undefined>): string {
  if (groups.http !== undefined) return `HTTP ${groups.http}`
  const code = groups.form ?? groups.mysql ?? groups.sqlstate ?? groups.sqlcode ?? groups.named ?? ''
  return /^0x/i.test(code) ? `0x${code.slice(2).toUpperCase()}` : code
}
