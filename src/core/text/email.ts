import { domainToASCII, domainToUnicode } from 'node:url';

/** Octets of an e-mail address. @see RFC 5321 section 4.5.3.1.3 */
export const EMAIL_OCTETS = 254;
/** Most characters that people may type; a domain may be shorter in ASCII. */
export const EMAIL_CHARACTERS = 320;
/** Octets before the @. @see RFC 5321 section 4.5.3.1.1 */
const LOCAL_OCTETS = 64;
/** Octets of a domain. @see RFC 1035 section 2.3.4 */
const DOMAIN_OCTETS = 253;

/**
 * No blanks, control or invisible characters: addresses that look equal must be equal, and none adds a header. Only ASCII,
 * because a server without SMTPUTF8 takes no other local part. @see RFC 6531 section 3.2
 */
const LOCAL = /^[^\s\p{C}@<>"(),:;[\]\\\u0080-\u{10ffff}]+$/u;

/** Labels of letters, digits, hyphens and underscores, of at most 63 octets. */
const DOMAIN = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)*$/;

/** What IDNA may translate. `domainToASCII` also takes ports, paths and percent signs, and cuts them off. */
const WRITTEN_DOMAIN = /^[\p{L}\p{M}\p{N}_.。．｡-]+$/u;

/** `127.1` and `0x7f.1` are IPv4 addresses to `domainToASCII`; no domain of a mailbox ends with a number. */
const ENDS_WITH_NUMBER = /(?:^|\.)(?:\d+|0x[\da-f]*)$/;

function toParts(address: string): readonly [local: string, domain: string] {
  const at = address.lastIndexOf('@');
  return at < 0 ? [address, ''] : [address.slice(0, at), address.slice(at + 1)];
}

/** A domain in ASCII and lower case, without its final dot. One that IDNA does not know stays as it is. */
function toDomain(written: string): string {
  if (!WRITTEN_DOMAIN.test(written)) return written;
  const domain = written
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('。', '.')
    .replace(/(?<!\.)\.$/, '');
  return ENDS_WITH_NUMBER.test(domain) ? domain : domainToASCII(domain) || domain;
}

/** An e-mail address with its domain in ASCII and lower case, without a final dot. Its local part stays as it is typed. */
export function toAsciiDomain(address: string): string {
  const [local, domain] = toParts(address);
  return domain === '' ? address : `${local}@${toDomain(domain)}`;
}

/** Whether mail can be sent to a text in its canonical form. The domain may be a single word, such as `localhost`. */
export function isEmailAddress(text: string): boolean {
  const [local, written] = text.length > EMAIL_CHARACTERS ? ['', ''] : toParts(text);
  const domain = toDomain(written);
  if (local.length > LOCAL_OCTETS || domain.length > DOMAIN_OCTETS) return false;
  if (local.length + 1 + domain.length > EMAIL_OCTETS || !LOCAL.test(local)) return false;
  return DOMAIN.test(domain) && domainToASCII(domain) !== '';
}

/** How accounts stored an address before: trimmed, NFC, lower case. */
const toFormer = (address: string): string => address.trim().normalize('NFC').toLowerCase();

/** An e-mail address as accounts store and compare it: lower case, the domain in ASCII and without a final dot. */
export const normalizeEmail = (address: string): string => toAsciiDomain(toFormer(address));

/**
 * The forms in which an account may be stored that has this address, the most likely owner first: as it is typed, for accounts
 * from before the canonical form; the canonical form; the domain in letters; both with a final dot.
 */
export function listEmailForms(address: string): readonly string[] {
  if (address.length > EMAIL_CHARACTERS) return [address];
  const canonical = normalizeEmail(address);
  const [local, domain] = toParts(canonical);
  const lettered = domain.includes('xn--') ? `${local}@${domainToUnicode(domain)}` : canonical;
  return [...new Set([toFormer(address), canonical, lettered, `${canonical}.`, `${lettered}.`])];
}
