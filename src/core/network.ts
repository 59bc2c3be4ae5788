import ipaddr from 'ipaddr.js';
import { BoundedMap } from './bounded-map.ts';

/** Addresses of the last clients, because each read of a busy server asks again. */
const networks = new BoundedMap<string>(1000);

/**
 * The network to count an address by: an IPv4 address itself, or the /64 of an IPv6 address, because one
 * customer owns it all. Any other text is a network of its own.
 */
export const toNetwork = (address: string): string => networks.getOrCreate(address, () => parseNetwork(address));

function parseNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const [a = 0, b = 0, c = 0, d = 0] = parsed.parts;
  return `${[a, b, c, d].map((part) => part.toString(16)).join(':')}::/64`;
}

/**
 * Whether an address is loopback, private or link-local, like that of a reverse proxy or a container
 * gateway.
 */
export function isInternal(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const range = ipaddr.process(address).range();
  return ['loopback', 'private', 'uniqueLocal', 'linkLocal'].includes(range);
}
