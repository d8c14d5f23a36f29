import { BlockList, isIP } from 'node:net'

/** Whether an address is one of the open internet: not of a private network, of this machine, of its metadata or of a protocol. */
export const isPublicAddress = (address: string): boolean => {
  // `fe80::1%eth0`: the zone says which network, and it is never the open one.
  const family = address.includes('%') ? 0 : isIP(address)
  if (family === 0) return false
  return family === 4
    ? !NOT_PUBLIC.check(address, 'ipv4')
    : ONLY_PUBLIC_V6.check(address, 'ipv6') && !NOT_PUBLIC.check(address, 'ipv6')
}

const listOf = (family: 'ipv4' | 'ipv6', ...ranges: readonly (readonly [string, number])[]) => ({ family, ranges })

/** https://www.iana.org/assignments/iana-ipv4-special-registry and its twin for IPv6. */
const SPECIAL = [
  listOf(
    'ipv4',
    ['0.0.0.0', 8],
    ['10.0.0.0', 8],
    ['100.64.0.0', 10],
    ['127.0.0.0', 8],
    // The metadata of EC2, ECS and others.
    ['169.254.0.0', 16],
    ['172.16.0.0', 12],
    ['192.0.0.0', 24],
    ['192.0.2.0', 24],
    ['192.88.99.0', 24],
    ['192.168.0.0', 16],
    ['198.18.0.0', 15],
    ['198.51.100.0', 24],
    ['203.0.113.0', 24],
    ['224.0.0.0', 4],
    ['240.0.0.0', 4],
  ),
  // Addresses of IPv4 in another form (Teredo, 6to4), and examples.
  listOf('ipv6', ['2001::', 23], ['2001:db8::', 32], ['2002::', 16], ['3fff::', 20]),
]

const blockListOf = (lists: ReturnType<typeof listOf>[]): BlockList => {
  const list = new BlockList()
  for (const { family, ranges } of lists) for (const [net, prefix] of ranges) list.addSubnet(net, prefix, family)
  return list
}

const NOT_PUBLIC = blockListOf(SPECIAL)

/** Of IPv6 only this much is given out: what is not in it is local, mapped, or not used yet. */
const ONLY_PUBLIC_V6 = blockListOf([listOf('ipv6', ['2000::', 3])])
