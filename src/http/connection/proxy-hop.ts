import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import { memoize } from '../../core/memoize.ts';
import { isInNetwork, parseNode } from '../../core/text/network.ts';
import type { TrustedProxies } from '../../model/trusted-proxies.ts';

/** What the proxies say about a request. */
export interface Hop {
  /** The client's address; without a trusted proxy, the address that is connected. */
  readonly address: string;
  /** The scheme that the client used, in lower case; undefined if no trusted proxy says it. */
  readonly scheme: string | undefined;
}

/** The entries of a list header, the newest first: each proxy adds its own at the end. */
function toEntries(header: string | string[] | undefined): string[] {
  const text = Array.isArray(header) ? header.join(',') : header;
  return text === undefined ? [] : text.split(',').reverse();
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** The networks of a setting, parsed once. */
const findNetworks = memoize((blocks: readonly string[]): readonly (readonly [Address, number])[] =>
  blocks.map((block) => {
    const [text = '', prefix] = block.split('/');
    const address = ipaddr.parse(text.replace(/%.*$/, ''));
    const bits = Number(prefix ?? (address.kind() === 'ipv4' ? 32 : 128));
    // A client by IPv4 in IPv6 counts as IPv4, so a network of these does, too.
    const isMapped = address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && bits >= 96;
    return isMapped ? [address.toIPv4Address(), bits - 96] : [address, bits];
  }),
);

function isIn(blocks: readonly string[], text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  return findNetworks(blocks).some(([network, bits]) => isInNetwork(address, network, bits));
}

/** How many entries count, and the address that they end at. */
interface Walk {
  readonly address: string;
  readonly hops: number;
}

/**
 * Goes back as many entries as there are proxies, or to the oldest one. An entry that is not an address counts as the
 * proxy's that wrote it.
 */
function walkCount(direct: string, entries: readonly string[], count: number): Walk {
  const hops = entries.length === 0 ? count : Math.min(count, entries.length);
  const known = entries.slice(0, hops).map(parseNode);
  return { address: known.findLast((address) => address !== undefined) ?? direct, hops };
}

/** Goes back as long as the address that wrote an entry is one of the networks. */
function walkNetworks(direct: string, entries: readonly string[], blocks: readonly string[]): Walk {
  const walk = { address: direct, hops: 0 };
  while (isIn(blocks, walk.address)) {
    const node = entries[walk.hops];
    walk.hops += 1;
    const address = node === undefined ? undefined : parseNode(node);
    if (address === undefined) break;
    walk.address = address;
  }
  return walk;
}

/** The entry that the same proxy wrote; a proxy that does not add but replaces leaves one entry for all. */
const findAt = (entries: readonly string[], hops: number): string | undefined =>
  entries[Math.min(hops, entries.length) - 1]?.trim().toLowerCase() || undefined;

/**
 * The client's address and scheme: a header counts only as far as the settings trust the proxies that wrote it, and
 * both are read at the same proxy. The header `Forwarded` is not read, because few proxies remove what a client sends
 * there.
 */
export function findHop(req: IncomingMessage, trusted: TrustedProxies): Hop {
  const peer = req.socket.remoteAddress ?? '';
  const direct = parseNode(peer) ?? peer;
  if (trusted === false) return { address: direct, scheme: undefined };
  const entries = toEntries(req.headers['x-forwarded-for']);
  const { address, hops } =
    typeof trusted === 'object'
      ? walkNetworks(direct, entries, trusted)
      : walkCount(direct, entries, trusted === true ? 1 : trusted);
  return { address, scheme: hops === 0 ? undefined : findAt(toEntries(req.headers['x-forwarded-proto']), hops) };
}
