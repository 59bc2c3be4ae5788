// The path of the base URL, such as `/blog`: inside, every address is without it. It is taken off a request's path on the way
// in, and put before local addresses on the way out.

/** Characters of `https://`: the first slash after them begins the path. */
const SCHEME = 8;

/** The path of a base URL without a final slash: empty, or such as `/blog`. */
export function toBasePath(baseUrl: string): string {
  const at = baseUrl.indexOf('/', SCHEME);
  return at < 0 ? '' : baseUrl.slice(at);
}

/** Whether an address begins with the base path, as whole segments: `/blogger` is not under `/blog`. */
const hasBasePath = (basePath: string, address: string): boolean =>
  address.startsWith(basePath) && /^(?:$|[/?#])/.test(address.slice(basePath.length, basePath.length + 1));

/** A path or local address without the base path. One that does not begin with it stays: the proxy took it off. */
export function takeBasePath(basePath: string, address: string): string {
  if (basePath === '' || !hasBasePath(basePath, address)) return address;
  const rest = address.slice(basePath.length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** Whether an address names a path of this host. `//x` and `/\x` name another host. */
const isLocal = (address: string): boolean => /^\/(?![/\\])/.test(address);

/** A local address under the base path. Any other address stays, and one that is under it already. */
export function putBasePath(basePath: string, address: string): string {
  if (basePath === '' || !isLocal(address) || hasBasePath(basePath, address)) return address;
  return basePath + address;
}

/**
 * Name of a cookie that no other host may set. `__Host-` requires the path `/`, so a site under a path has `__Secure-`, which
 * a subdomain of the same domain could set.
 *
 * @see RFC 6265bis section 4.1.3
 */
export function toCookieName(name: string, isSecure: boolean, basePath: string): string {
  if (!isSecure) return name;
  return `${basePath === '' ? '__Host-' : '__Secure-'}${name}`;
}
