import { timingSafeEqual } from 'node:crypto';
import { signWebhook } from '../../core/webhook-secret.ts';

/** Seconds that a timestamp may be off, either way. @see Standard Webhooks 1.0.0, "Verifying signatures" */
const TOLERANCE_SECONDS = 300;

export type Headers = Readonly<Record<string, string | undefined>>;

function isSame(given: string, wanted: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(wanted)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/**
 * Why a delivery is not to be trusted; undefined where one of its signatures is by one of the secrets.
 *
 * @param now Unix seconds.
 */
export function findFault(
  secrets: readonly string[],
  delivery: { readonly headers: Headers; readonly body: string },
  now: number,
): string | undefined {
  const { headers, body } = delivery;
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(
    (name) => headers[name] ?? '',
  ) as [string, string, string];
  if (id === '') return 'the header webhook-id is missing';
  const { 'ce-id': other } = headers;
  // Of a CloudEvent by headers these are not signed, and whoever goes by its id would take one event for another.
  if (other !== undefined && other !== id)
    return 'the header ce-id differs from webhook-id, and only webhook-id is signed';
  if (!/^\d{1,12}$/.test(timestamp)) return 'the header webhook-timestamp is missing or not a whole number of seconds';
  const off = Math.abs(now - Number(timestamp));
  if (off > TOLERANCE_SECONDS) return `webhook-timestamp is ${off} seconds off; five minutes are allowed`;
  const given = signatures.split(' ').filter((entry) => entry.startsWith('v1,'));
  if (given.length === 0) return 'the header webhook-signature has no v1 entry';
  const wanted = secrets.map((secret) => signWebhook(secret, { id, seconds: Number(timestamp), body }));
  const isKnown = given.some((entry) => wanted.some((each) => isSame(entry, each)));
  return isKnown ? undefined : 'no signature matches this secret: the body was changed, or another secret signed it';
}
