import { isIP, isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { BoundedMap } from '../bounded-map.ts';

/** Cached addresses of recent clients: a busy server looks them up for each read. */
const networks = new BoundedMap<string>(1000);

/** An IPv4 address, or an IPv6 address in brackets, each with an optional port, which a proxy may hide. */
const NODE = /^(?:\[([0-9a-f:.]+)\]|([0-9.]+))(?::(?:\d{1,5}|_[\w.-]+))?$/i;

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** True if the first bits of an address are those of a network of the same version. */
export function isInNetwork(address: Address, network: Address, bits: number): boolean {
  if (address instanceof ipaddr.IPv4) return network instanceof ipaddr.IPv4 && address.match(network, bits);
  return network instanceof ipaddr.IPv6 && address.match(network, bits);
}

/** An IPv6 address in its shortest form and without zone; one that stands for an IPv4 address becomes that. */
function toShortest(address: string): string {
  const [bare = ''] = address.split('%');
  const parsed = ipaddr.process(bare);
  return parsed.toString();
}

/**
 * The address of a node as a proxy writes it: `192.0.2.7`, `192.0.2.7:4711`, `2001:db8::1`, `[2001:db8::1]:4711`, with
 * quotes or without. Undefined for anything else, such as `unknown`, `_hidden` or a host name.
 *
 * @see RFC 7239 section 6
 */
export function parseNode(node: string): string | undefined {
  if (isIPv4(node)) return node;
  const text = node.trim().replace(/^"(.*)"$/, '$1');
  const [, bracketed, plain] = NODE.exec(text) ?? [];
  const address = bracketed ?? plain ?? text;
  const version = isIP(address);
  if (version === 0 || (bracketed !== undefined && version !== 6)) return undefined;
  return version === 4 ? address : toShortest(address);
}

/**
 * The network to count an address by: an IPv4 address itself, or the /64 of an IPv6 address, because one
 * customer owns it all. A port counts for nothing. Any other text is a network of its own.
 */
export const toNetwork = (address: string): string => networks.getOrCreate(address, () => parseNetwork(address));

function parseNetwork(text: string): string {
  const address = parseNode(text);
  if (address === undefined) return text;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const [a = 0, b = 0, c = 0, d = 0] = parsed.parts;
  return `${[a, b, c, d].map((part) => part.toString(16)).join(':')}::/64`;
}

/**
 * Whether an address is loopback, private or link-local, like that of a reverse proxy or a container
 * gateway.
 */
export function isInternal(text: string): boolean {
  const address = parseNode(text);
  if (address === undefined) return false;
  const range = ipaddr.process(address).range();
  return ['loopback', 'private', 'uniqueLocal', 'linkLocal'].includes(range);
}
