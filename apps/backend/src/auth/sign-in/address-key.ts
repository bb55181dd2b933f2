import { isIPv6 } from 'node:net'

/** 16-bit groups of an IPv6 address that name the network; within it a machine takes any address it likes (RFC 4291). */
const NETWORK_GROUPS = 4
const GROUPS = 8

/** What attempts and requests from an address are counted under: an IPv4 address itself, the /64 network of an IPv6 address. */
export function addressKey(address: string): string {
  // A zone names an interface of this machine, not the peer.
  const plain = address.replace(/%.*$/, '')
  if (!isIPv6(plain)) return plain
  const groups = groupsOf(plain)
  const isMappedIpv4 = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  if (isMappedIpv4) return ipv4Of(groups)
  return `${groups
    .slice(0, NETWORK_GROUPS)
    .map((group) => group.toString(16))
    .join(':')}::/64`
}

function groupsOf(address: string): number[] {
  // URL writes an address in its one short form, without a dotted end.
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const before = numbers(head)
  const after = numbers(tail ?? '')
  const zeros = Array.from({ length: GROUPS - before.length - after.length }, () => 0)
  return [...before, ...zeros, ...after]
}

function numbers(groups: string): number[] {
  return groups === '' ? [] : groups.split(':').map((group) => Number.parseInt(group, 16))
}

function ipv4Of(groups: readonly number[]): string {
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 0xff])
    .join('.')
}
