import ipaddr from 'ipaddr.js';
import { memoize, once } from '../core/memoize.ts';
import { isInNetwork } from '../core/text/network.ts';
import type { AddressPolicy } from './outbound.ts';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Block = readonly [Address, number];

/** A refused target: `url` for the form of the URL, `address` for what it resolves to. */
export interface Refusal {
  readonly kind: 'url' | 'address';
  /** True if no setting can allow it. */
  readonly isNever?: boolean;
  /** Sentence for users. */
  readonly reason: string;
}

const toBlocks = (...texts: readonly string[]): readonly Block[] => texts.map((text) => ipaddr.parseCIDR(text));

/** Parsed when the first address is judged, because a start judges none. */
const findBlocks = once(() => ({
  /** IANA special-purpose IPv4 blocks: no public server has an address in them. */
  refusedV4: toBlocks(
    '0.0.0.0/8',
    '10.0.0.0/8',
    '100.64.0.0/10',
    '127.0.0.0/8',
    '169.254.0.0/16',
    '172.16.0.0/12',
    '192.0.0.0/24',
    '192.0.2.0/24',
    '192.88.99.0/24',
    '192.168.0.0/16',
    '198.18.0.0/15',
    '198.51.100.0/24',
    '203.0.113.0/24',
    '224.0.0.0/4',
    '240.0.0.0/4',
  ),
  /** Special-purpose blocks inside global unicast (2000::/3). Everything outside 2000::/3 is refused too. */
  refusedV6: toBlocks('2001:2::/48', '2001:10::/28', '2001:20::/28', '2001:db8::/32', '3fff::/20'),
  /**
   * Cloud metadata services, which give the machine's credentials to any local caller: the link-local
   * addresses of most clouds, and those of Alibaba, Azure, Oracle, EC2 and Google. No setting allows them.
   */
  metadata: toBlocks(
    '169.254.169.254/32',
    '169.254.170.2/32',
    '169.254.170.23/32',
    '100.100.100.200/32',
    '168.63.129.16/32',
    '192.0.0.192/32',
    'fd00:ec2::254/128',
    'fd00:ec2::23/128',
    'fd20:ce::254/128',
  ),
  globalV6: ipaddr.parseCIDR('2000::/3'),
  nat64: ipaddr.parseCIDR('64:ff9b::/96'),
  sixToFour: ipaddr.parseCIDR('2002::/16'),
  teredo: ipaddr.parseCIDR('2001::/32'),
  loopback: toBlocks('127.0.0.0/8', '::1/128'),
}));
const PORTS: ReadonlySet<number> = new Set([80, 443, 8080, 8443]);
const LOCAL_NAME = /(^|\.)(localhost|internal|local)$/;
const LOCALHOST = /(^|\.)localhost$/;

function isIn(address: Address, block: Block): boolean {
  return isInNetwork(address, block[0], block[1]);
}

const fromBytes = (bytes: readonly number[]): Address => ipaddr.fromByteArray([...bytes]);

/** IPv4 addresses embedded in an IPv6 address: a gateway would forward to them. */
function toEmbedded(address: Address): Address[] {
  if (address.kind() === 'ipv4') return [];
  const bytes = address.toByteArray();
  const { nat64, sixToFour, teredo } = findBlocks();
  if (isIn(address, nat64)) return [fromBytes(bytes.slice(12))];
  if (isIn(address, sixToFour)) return [fromBytes(bytes.slice(2, 6))];
  if (isIn(address, teredo))
    return [fromBytes(bytes.slice(4, 8)), fromBytes(bytes.slice(12).map((byte) => byte ^ 0xff))];
  return [];
}

function isPublic(address: Address): boolean {
  const { refusedV4, refusedV6, nat64, globalV6 } = findBlocks();
  if (address.kind() === 'ipv4') return !refusedV4.some((block) => isIn(address, block));
  const embedded = toEmbedded(address);
  if (!embedded.every(isPublic)) return false;
  if (isIn(address, nat64)) return true;
  return isIn(address, globalV6) && !refusedV6.some((block) => isIn(address, block));
}

function parseAddress(text: string): Address | undefined {
  const bare = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text;
  if (ipaddr.IPv4.isValidFourPartDecimal(bare)) return ipaddr.IPv4.parse(bare);
  if (!bare.includes(':') || bare.includes('%') || !ipaddr.IPv6.isValid(bare)) return undefined;
  const parsed = ipaddr.IPv6.parse(bare);
  return parsed.isIPv4MappedAddress() ? parsed.toIPv4Address() : parsed;
}

function parseBlock(text: string): Block | undefined {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text);
  const address = parseAddress(text);
  return address && [address, address.kind() === 'ipv4' ? 32 : 128];
}

/** Whether a text is a CIDR block, such as `10.0.0.0/8`, or one address. */
export const isCidr = (text: string): boolean => parseBlock(text) !== undefined;

const isMetadata = (address: Address): boolean =>
  findBlocks().metadata.some((block) => isIn(address, block)) || toEmbedded(address).some(isMetadata);

/** The blocks of a setting, parsed once: every call needs them. */
const getBlocks = memoize((texts: readonly string[]): readonly Block[] =>
  texts.flatMap((text) => {
    const block = parseBlock(text);
    return block === undefined ? [] : [block];
  }),
);

/** An allowed address may be called on any port. */
function isAllowed(address: Address, policy: AddressPolicy): boolean {
  if (policy.isLoopbackAllowed && findBlocks().loopback.some((block) => isIn(address, block))) return true;
  return getBlocks(policy.allowPrivate).some((block) => isIn(address, block));
}

/**
 * Why an address may not be called on a port; undefined if it may. Also checks IPv4 addresses embedded in
 * IPv6.
 * @param text Address as a resolver or a socket gives it.
 */
export function judgeAddress(text: string, port: number, policy: AddressPolicy): string | undefined {
  const address = parseAddress(text);
  if (!address) return `"${text}" is not an address that can be judged.`;
  if (isMetadata(address)) return `The address ${text} is a cloud's metadata service, which is never called.`;
  if (isAllowed(address, policy)) return undefined;
  if (!isPublic(address)) return `The address ${text} is private, reserved or local.`;
  if (!PORTS.has(port)) return `The port ${port} may not be called; 80, 443, 8080 and 8443 may.`;
  return undefined;
}

/** Host of a URL without brackets and without the trailing dots of a rooted name. */
export const toHost = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '');

export function toPort(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

/** A literal address, not a host name. The WHATWG parser has already normalized forms like `127.1`. */
export const isLiteral = (host: string): boolean => parseAddress(host) !== undefined || host.includes(':');

function judgeName(host: string, port: number, policy: AddressPolicy): string | undefined {
  const hasExceptions = policy.allowPrivate.length > 0;
  const isOpen = hasExceptions || (policy.isLoopbackAllowed && LOCALHOST.test(host));
  if (LOCAL_NAME.test(host) && !isOpen) return `The name ${host} is local.`;
  // If private addresses are allowed on any port, only the resolved address can decide.
  if (!PORTS.has(port) && !hasExceptions && !policy.isLoopbackAllowed)
    return `The port ${port} may not be called; 80, 443, 8080 and 8443 may.`;
  return undefined;
}

function judgeForm(text: string): URL | string {
  if (!URL.canParse(text)) return `"${text}" is not a URL.`;
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return `The URL must begin with http:// or https://.`;
  if (url.username !== '' || url.password !== '' || /^[a-z]+:[\\/]*@/i.test(text.trim()))
    return 'The URL must not have a user name or password.';
  if (text.includes('#')) return 'The URL must not have a fragment (#…).';
  if (toHost(url) === '') return 'The URL must have a host.';
  return url;
}

/** The parsed URL, or why it may not be called. Does not resolve names. */
export function judgeUrl(text: string, policy: AddressPolicy): { url: URL } | Refusal {
  const url = judgeForm(text);
  if (typeof url === 'string') return { kind: 'url', reason: url };
  const host = toHost(url);
  const judge = isLiteral(host) ? judgeAddress : judgeName;
  const reason = judge(host, toPort(url), policy);
  if (reason === undefined) return { url };
  const address = parseAddress(host);
  return { kind: 'address', reason, isNever: address !== undefined && isMetadata(address) };
}
