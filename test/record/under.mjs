// Compares a play at the root of a host with one under a path: they differ by the path only, and no address lacks it.

/** Where the plays are: the address says so, whatever port the process has. */
export const ORIGIN = 'https://site.example';
const FIELDS = ['status', 'headers', 'body', 'rows', 'events'];
/** Attributes with an address that a browser follows, in double quotes, as every template writes them. */
const ADDRESS = /\s(?:href|src|action|formaction|poster|srcset|data-inbox|data-live|data-picker)="(\/(?![/\\])[^"]*)"/g;
/** Text that is no tag. */
const NO_TAGS = /<!--.*?-->|(<(script|style|textarea|title)\b[^>]*>).*?<\/\2>/gs;

/** A text without the path: `/blog/x` as `/x`, the base URL and the path of cookies without it. */
const takeOut = (text, path) =>
  text
    .replace(new RegExp(`Path=${path}(?=;|$|\\n|, )`, 'g'), 'Path=/')
    .replace(new RegExp(`(?:/|%2F)${path.slice(1)}(?![\\w-])`, 'g'), '')
    .replaceAll('__Secure-sid=', '__Host-sid=')
    .replaceAll('__Secure-signin=', '__Host-signin=');

/** Its tag is made from the body. */
const dropTag = (headers) => headers.replace(/^etag: .*\n?/m, '');

/** Local addresses of an outcome that do not begin with the path. */
function findBare({ headers, body }, path) {
  const lines = headers.split('\n');
  const named = lines.flatMap((line) => /^(?:location|content-location): (\/.*)$/.exec(line)?.slice(1) ?? []);
  const links = lines
    .filter((line) => line.startsWith('link: '))
    .flatMap((line) => [...line.matchAll(/<(\/[^>]*)>/g)].map(([, address]) => address));
  const cookies = lines
    .filter((line) => line.startsWith('set-cookie: '))
    .flatMap((line) => [...line.matchAll(/Path=(\/[^;]*)/g)].map(([, cookie]) => cookie));
  const isPage = lines.some((line) => line.startsWith('content-type: text/html'));
  const inPage = isPage ? [...body.replace(NO_TAGS, '$1').matchAll(ADDRESS)].map(([, address]) => address) : [];
  const isUnder = (address) => address === path || address.startsWith(`${path}/`) || address.startsWith(`${path}?`);
  return [...named, ...links, ...cookies, ...inPage].filter((address) => !isUnder(address));
}

/** How the outcome of a request under a path differs from that at the root; empty if by the path only. */
export function listDifferences(was, is, path) {
  if (!was || !is) return ['presence'];
  const [before, now] = [was, is].map((outcome) => ({ ...outcome, headers: dropTag(outcome.headers) }));
  const fields = FIELDS.filter((field) => takeOut(String(now[field]), path) !== String(before[field]));
  return [...fields, ...findBare(is, path).map((address) => `bare ${address}`)];
}

/** The texts of a field that differ. */
export const toCompared = (was, is, field, path) => [
  field === 'headers' ? dropTag(was.headers) : was[field],
  takeOut(String(field === 'headers' ? dropTag(is.headers) : is[field]), path),
];
