import type { Random } from '../../../core/clock.ts';
import { TreadleError } from '../../../core/errors.ts';
import { packageVersion } from '../../../core/file/package-root.ts';
import { deriveWebhookSecret, signWebhook } from '../../../core/secret/webhook-secret.ts';
import { toReason } from '../../../core/text/reason.ts';
import type { HookModel } from '../../../model/model.ts';
import type { OutboundResponse } from '../../../outbound/outbound.ts';
import type { Job, Outcome } from '../../../queue/queue.ts';
import { toMessage } from '../message.ts';
import { findReceiver, type Receiver } from '../receiver/receiver.ts';
import { addReceivers, getReceiver, rotateReceiver } from '../receiver/receiver-sql.ts';
import { listSigning, toCurrentVersions } from '../receiver/rotation.ts';
import { type DeliveryRow, moveDelivery } from '../sql.ts';
import { isTrial } from '../trial.ts';
import { recordAttempt, toEnd } from './attempt-record.ts';
import { type AttemptRow, readFailing } from './attempt-sql.ts';
import { type Outbox, toUnknownRetry } from './outbox.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** Seconds between attempts; with the first, ten attempts over 75 h 35 min. */
export const DELAYS: readonly number[] = [
  5,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

const JITTER = 0.2;
const MAX_RETRY_AFTER = 24 * HOUR;

/** Seconds of a `Retry-After` header, at most 24 h; 0 if missing or invalid. @see RFC 9110 10.2.3 */
export function parseRetryAfter(header: string | undefined, now: number): number {
  if (header === undefined) return 0;
  const text = header.trim();
  const seconds = /^\d+$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - now * 1000) / 1000);
  return Number.isFinite(seconds) ? Math.min(MAX_RETRY_AFTER, Math.max(0, seconds)) : 0;
}

/** Maximum pause per response: the receiver may recover sooner, and a user may want to replay. */
const MAX_REST = 5 * MINUTE;

/**
 * Seconds for which all deliveries of a receiver pause because it is overloaded and said when to return.
 * Otherwise each waiting event would use up attempts on the same refusal.
 * @see RFC 6585 4, RFC 9110 15.6.4
 */
export function toRest(status: number | undefined, retryAfter: number): number {
  return status === 429 || status === 503 ? Math.min(MAX_REST, retryAfter) : 0;
}

/**
 * Seconds until the next attempt; undefined after the last. A jitter of ±20% fanOuts receivers that failed
 * together.
 * @param failed Number of failed attempts, 1 to 10.
 */
export function toDelay(failed: number, retryAfter: number, random: Random): number | undefined {
  const delay = DELAYS[failed - 1];
  if (delay === undefined) return undefined;
  const unit = random(4).readUInt32BE(0) / 2 ** 32;
  return Math.max(retryAfter, Math.round(delay * (1 - JITTER + 2 * JITTER * unit)));
}

/** Headers that may contain a secret of the receiver: the log keeps the name and drops the value. */
const SECRET_HEADERS: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'x-api-key',
  'x-auth-token',
]);
/** Characters of one header that the log keeps. */
const VALUE_LENGTH = 1000;
const MOST_HEADERS = 64;

/** Headers as JSON for the log: without secret values, long values cut. */
function toLoggedHead(headers: Readonly<Record<string, string>>): string {
  const logged = Object.entries(headers)
    .slice(0, MOST_HEADERS)
    .map(([name, value]) => [name, SECRET_HEADERS.has(name.toLowerCase()) ? '(hidden)' : value.slice(0, VALUE_LENGTH)]);
  return JSON.stringify(Object.fromEntries(logged));
}

/** Body text for the log. PostgreSQL rejects zero bytes in text. */
const toLoggedBody = (body: string): string => body.replaceAll('\u0000', '\uFFFD');

/** Bytes of a response body that the log keeps. */
const LOGGED_BYTES = 20_000;
/** A receiver that only fails for this long is disabled. */
const PATIENCE_SECONDS = 5 * 86_400;
/**
 * Longer than any delay between two attempts. After this long without a call, a failure counts as the first
 * one.
 */
const SILENCE_SECONDS = 2 * 86_400;

/** Result of one attempt. */
interface Attempt {
  /** Unix seconds when it was sent, as in `webhook-timestamp`. */
  readonly at: number;
  /** Request headers. */
  readonly headers: Readonly<Record<string, string>>;
  readonly answer: OutboundResponse | undefined;
  readonly error: string | undefined;
  readonly milliseconds: number;
}

function signAttempt(
  outbox: Outbox,
  hook: HookModel,
  row: DeliveryRow,
  message: Parameters<typeof signWebhook>[1],
): string {
  const { secret } = outbox.context.services;
  const name = hook.definition.secretName ?? hook.name;
  return listSigning(row, hook.definition.secretVersion ?? 1, message.seconds)
    .map((each) => signWebhook(deriveWebhookSecret(secret, name, row.client_id ?? undefined, each), message))
    .join(' ');
}

async function send(outbox: Outbox, hook: HookModel, row: DeliveryRow, signal: AbortSignal): Promise<Attempt> {
  const { outbound, clock } = outbox.context.services;
  const at = outbox.now();
  const startedAt = clock.now();
  const { headers: own, body } = toMessage(row);
  const headers = {
    ...own,
    'user-agent': `Treadle/${packageVersion}`,
    'webhook-id': row.event_id,
    'webhook-timestamp': String(at),
    'webhook-sequence': String(row.sequence),
    'webhook-signature': signAttempt(outbox, hook, row, { id: row.event_id, seconds: at, body }),
  };
  const method = (hook.definition.method ?? 'post').toUpperCase();
  try {
    const { timeoutSeconds, policy } = outbox;
    const limits = { timeoutSeconds, maxBytes: LOGGED_BYTES, signal };
    const call = { method, url: row.url, headers, body, isRepeatable: true, ...limits };
    const answer = await outbound.send(call, policy);
    return { at, headers, answer, error: undefined, milliseconds: answer.milliseconds };
  } catch (error) {
    if (signal.aborted) throw error;
    return { at, headers, answer: undefined, error: toWhy(error), milliseconds: clock.now() - startedAt };
  }
}

/** The reason of a failed attempt, as its log keeps it. */
function toWhy(error: unknown): string {
  if (!(error instanceof TreadleError)) return toReason(error);
  const { detail, message } = error;
  // System messages already begin with the same word: `connect ECONNREFUSED`.
  return toReason(typeof detail === 'string' && !message.startsWith(detail) ? `${detail}: ${message}` : message);
}

const isSuccess = (attempt: Attempt): boolean =>
  attempt.answer !== undefined && attempt.answer.status >= 200 && attempt.answer.status < 300;

/** Effect of a failure on the receiver. */
interface Verdict {
  /** Reason for disabling it. */
  readonly disabling?: string;
  /** Whether to count failures from this one, because nothing was sent for a long time. */
  readonly isAnew?: boolean;
}

async function judge(outbox: Outbox, row: DeliveryRow, attempt: Attempt): Promise<Verdict> {
  if (isSuccess(attempt) || isTrial(row.event_id)) return {};
  if (attempt.answer?.status === 410) return { disabling: 'It answered 410 Gone.' };
  const isOver = (since: number | null | undefined): boolean =>
    since !== null && since !== undefined && attempt.at - Number(since) >= PATIENCE_SECONDS;
  if (!isOver(row.failing_since)) return {};
  // Reads the current state: another call may have ended while this one ran.
  const { database } = outbox.context.services;
  const { failingSince, isTried } = await readFailing(database, row.receiver, attempt.at - SILENCE_SECONDS);
  if (!isOver(failingSince)) return {};
  return isTried ? { disabling: 'Every attempt of five days failed.' } : { isAnew: true };
}

/** Saves an attempt and decides when to try again. */
async function saveAttempt(outbox: Outbox, row: DeliveryRow, sent: Attempt): Promise<Outcome> {
  const { random } = outbox.context.services;
  const { answer, error, headers, milliseconds, at } = sent;
  const isDelivered = isSuccess(sent);
  const now = outbox.now();
  const verdict = await judge(outbox, row, sent);
  const number = Number(row.attempts) + 1;
  const wait = parseRetryAfter(answer?.headers['retry-after'], now);
  // A trial event is not retried: the developer looks at the result and sends another.
  const isOver = isDelivered || verdict.disabling !== undefined || isTrial(row.event_id);
  const delay = isOver ? undefined : toDelay(number - Number(row.attempts_before), wait, random);
  const retryAt = delay === undefined ? undefined : now + delay;
  const ended = isDelivered ? 'delivered' : verdict.disabling !== undefined ? 'disabled' : 'failed';
  const attempt: AttemptRow = {
    delivery_id: Number(row.delivery_id),
    number,
    attempts_before: Number(row.attempts_before),
    status: answer?.status ?? null,
    error: error ?? null,
    milliseconds: Math.round(milliseconds),
    request_head: toLoggedHead(headers),
    response_head: answer ? toLoggedHead(answer.headers) : null,
    response_body: answer ? toLoggedBody(answer.body) : null,
    at,
    state: retryAt === undefined ? ended : 'pending',
    next_at: retryAt ?? null,
    settled_at: retryAt === undefined ? now : null,
  };
  const entry = recordAttempt({ outbox, row, attempt, ...verdict });
  const restSeconds = toRest(answer?.status, wait);
  return { ...(retryAt === undefined ? {} : { retryAt }), isFailed: !isDelivered, restSeconds, entry };
}

/** Outcome if this plan does not know the receiver of a delivery. */
function settleUnknown(outbox: Outbox, row: DeliveryRow, error: string): Outcome {
  const retryAt = toUnknownRetry(outbox.now(), Number(row.created_at));
  return retryAt === undefined ? toEnd(outbox, row, 'failed', error) : { retryAt, isFailed: false };
}

/**
 * Points a delivery to the receiver's current address and secret version. Writes only if one of them
 * changed. Undefined if the event already has a delivery to that address.
 */
async function updateAddress(
  outbox: Outbox,
  hook: HookModel,
  row: DeliveryRow,
  to: Receiver,
): Promise<DeliveryRow | undefined> {
  const { database } = outbox.context.services;
  const [version, now] = [hook.definition.secretVersion ?? 1, outbox.now()];
  const defined = { hook: version, app: to.secretVersion, now };
  if (to.key === row.receiver && toCurrentVersions(row, defined) === row) return row;
  return database.write(async () => {
    if (to.key !== row.receiver) {
      if (!(await moveDelivery(database, row, to))) return undefined;
      await addReceivers(database, [{ ...to, hook: hook.name, version }], now);
    }
    const state = toCurrentVersions(await getReceiver(database, to.key), defined);
    await rotateReceiver(database, state);
    return { ...row, ...state, url: to.url };
  });
}

/**
 * The receiver's current address. A new trial event goes to the receiver that `webhook-test` checked: it
 * contains no user's data, so it needs no consent.
 */
async function findAddress({ context }: Outbox, hook: HookModel, row: DeliveryRow): Promise<Receiver | undefined> {
  if (isTrial(row.event_id) && Number(row.attempts) === 0)
    return { key: row.receiver, url: row.url, clientId: row.client_id ?? undefined };
  return findReceiver(context, hook, row);
}

/** Makes one attempt to send a delivery and returns the outcome for the queue. */
export async function deliver(outbox: Outbox, job: Job, signal: AbortSignal): Promise<Outcome> {
  const row = await outbox.findDelivery(Number(job.payload));
  if (row?.state !== 'pending') return {};
  const hook = outbox.findHook(row.hook);
  if (!hook) return settleUnknown(outbox, row, `The web hook ${row.hook} is no longer defined.`);
  const to = await findAddress(outbox, hook, row);
  if (!to) {
    const error =
      hook.definition.approval === true
        ? 'This URL no longer receives the web hook, or lost its approval.'
        : 'This URL no longer receives the web hook.';
    // The hook's own URL comes from a plan, apps come from the database that all plans share.
    return row.client_id === null ? settleUnknown(outbox, row, error) : toEnd(outbox, row, 'failed', error);
  }
  const current = await updateAddress(outbox, hook, row, to);
  if (!current)
    return toEnd(outbox, row, 'failed', 'Another delivery takes the event to the address that the receiver has now.');
  if (current.disabled_at !== null)
    return isTrial(current.event_id)
      ? toEnd(outbox, current, 'failed', 'The receiver is disabled: a trial event is not kept for it.')
      : toEnd(outbox, current, 'disabled', 'The receiver is disabled.');
  return saveAttempt(outbox, current, await send(outbox, hook, current, signal));
}
