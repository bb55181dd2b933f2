import { PortError } from '@oncall-agent/retrieval'

/**
 * Addresses of a setting, each without a path's last slash.
 * @throws PortError `invalid-argument`, which never repeats what was written: there may be a password in it
 */
export function readAddresses(setting: string): readonly string[] {
  const addresses = setting
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map(readAddress)
  if (addresses.length === 0) throw refusal('names no address')
  return [...new Set(addresses)]
}

/** Hosts alone, to be named in messages. */
export function hostsOf(addresses: readonly string[]): string {
  return addresses.map((address) => new URL(address).host).join(', ')
}

function readAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !['http:', 'https:'].includes(url.protocol) || url.host === '') {
    throw refusal('has a part that is no http:// or https:// address')
  }
  if (url.username !== '' || url.password !== '') throw refusal('carries a name or a password')
  if (url.search !== '' || url.hash !== '') throw refusal('carries more than scheme, host, port and path')
  return url.href.replace(/\/+$/, '')
}

function refusal(reason: string): PortError {
  return new PortError('invalid-argument', {
    operation: 'read the address of the search engine',
    subject: 'search.url',
    reason,
    hint: 'Write `search.url` like `https://node-1:9200,https://node-2:9200`; name and password have settings of their own.'
  })
}
