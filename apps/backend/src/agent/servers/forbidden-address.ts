import { BlockList, isIP } from 'node:net'
import { AppError } from '@oncall-agent/api-contracts'

/** Addresses of one machine in clouds that tell who asks their keys: not all of them are link-local. */
const METADATA = ['100.100.100.200', '192.0.0.192', 'fd00:ec2::254'] as const

const forbidden = new BlockList()
// Unspecified (which connects to this machine), loopback, link-local; an IPv4 address in IPv6 counts as itself.
forbidden.addSubnet('0.0.0.0', 8, 'ipv4')
forbidden.addSubnet('127.0.0.0', 8, 'ipv4')
forbidden.addSubnet('169.254.0.0', 16, 'ipv4')
forbidden.addSubnet('::', 96, 'ipv6')
forbidden.addSubnet('fe80::', 10, 'ipv6')
for (const address of METADATA) forbidden.addAddress(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** Whether only administrators may have a tool server at the address, because this machine alone can be reached by it. */
export function isForbiddenAddress(address: string): boolean {
  const [plain = ''] = address.split('%')
  const family = isIP(plain)
  // What is no address can not be judged, and is not connected to.
  return family === 0 || forbidden.check(plain, family === 6 ? 'ipv6' : 'ipv4')
}

/** The name that was asked for is for the log; which address it has is told to nobody. */
export function forbiddenAddress(subject: string): AppError {
  return new AppError('AUTH_FORBIDDEN', {
    operation: 'connect to tool server',
    subject,
    message:
      'The address of the tool server belongs to the machine that we run on, or to its link; only an administrator may have one there.'
  })
}
