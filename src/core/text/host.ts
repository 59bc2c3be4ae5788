import { isIP } from 'node:net';

/** A name, an IPv4 address or a bracketed IPv6 address, and a port. @see RFC 9110 section 7.2 */
const HOST = /^(\[[0-9a-f:.]{2,45}\]|[a-z0-9\-._~!$&'()*+,;=%]{1,255})(?::\d{0,5})?$/i;

/**
 * Host name or address of a `Host` header, in lower case and without port; undefined if the header is
 * invalid.
 */
export const parseHost = (header: string): string | undefined => HOST.exec(header)?.[1]?.toLowerCase();

/** Whether a host is an IP address; IPv6 with or without brackets. */
export const isAddress = (host: string): boolean => isIP(host.replace(/^\[(.*)\]$/, '$1')) !== 0;

/** Whether a host is always this machine: `localhost`, a subdomain of it, or a loopback address. */
export function isLoopbackHost(host: string): boolean {
  const name = host.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  if (name === 'localhost' || name.endsWith('.localhost') || name === '::1') return true;
  return isIP(name) === 4 && name.startsWith('127.');
}
