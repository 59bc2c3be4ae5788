import { TreadleError } from '../../core/errors.ts';
import { packageVersion } from '../../core/package-root.ts';
import { deriveWebhookSecret, signWebhook } from '../../core/webhook-secret.ts';
import type { HookModel } from '../../model/model.ts';
import type { OutboundResponse } from '../../outbound/outbound.ts';
import type { Job, Outcome } from '../../queue/queue.ts';
import { recordAttempt, toEnd } from './attempt-record.ts';
import { type AttemptRow, readFailing } from './attempt-sql.ts';
import { toLoggedBody, toLoggedHead } from './logged-answer.ts';
import { toMessage } from './message.ts';
import { type Outbox, toUnknownRetry } from './outbox.ts';
import { findStill, type Receiver } from './receiver.ts';
import { toWantedVersion } from './rotation.ts';
import { parseRetryAfter, toDelay, toRest } from './schedule.ts';
import { type DeliveryRow, findDelivery, hasDelivery, rotateReceivers, touchReceiver, updateDelivery } from './sql.ts';
import { isTrial } from './trial.ts';

/** Bytes of a response body that the log keeps. */
const LOGGED_BYTES = 20_000;
/** Both secrets sign for this long after a rotation was first seen. */
const DUAL_SECONDS = 86_400;
/** A receiver that only fails for this long is disabled. */
const PATIENCE_SECONDS = 5 * 86_400;
/**
 * Longer than any delay between two attempts. After this long without a call, a failure counts as the first
 * one.
 */
const SILENCE_SECONDS = 2 * 86_400;
/** Seconds a receiver lookup stays valid, unless the app needs approval or a user's consent. */
const FRESH_SECONDS = 5;

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

function toSignature(
  outbox: Outbox,
  hook: HookModel,
  row: DeliveryRow,
  message: Parameters<typeof signWebhook>[1],
): string {
  const { secret } = outbox.context.services;
  const known = Number(row.version);
  // The versions differ: this plan is older than the process that rotated, or the definition was reverted.
  const own = known + (hook.definition.secretVersion ?? 1) - Number(row.hook_version);
  const versions = new Set([own, known]);
  const isRecent = row.rotated_at !== null && message.seconds - Number(row.rotated_at) < DUAL_SECONDS;
  if (isRecent && row.previous_version !== null) versions.add(Number(row.previous_version));
  const name = hook.definition.secretName ?? hook.name;
  return [...versions]
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
    'webhook-signature': toSignature(outbox, hook, row, { id: row.event_id, seconds: at, body }),
  };
  const method = (hook.definition.method ?? 'post').toUpperCase();
  try {
    const { timeoutSeconds, policy } = outbox;
    const limits = { timeoutSeconds, maxBytes: LOGGED_BYTES, signal };
    const call = { method, url: row.url, headers, body, isRepeatable: true, ...limits };
    const answer = await outbound.send(call, policy);
    return { at, headers, answer, error: undefined, milliseconds: answer.milliseconds };
  } catch (error) {
    if (signal.aborted || !(error instanceof TreadleError)) throw error;
    const { detail, message } = error;
    // System messages already begin with the same word: `connect ECONNREFUSED`.
    const why = typeof detail === 'string' && !message.startsWith(detail) ? `${detail}: ${message}` : message;
    return { at, headers, answer: undefined, error: why, milliseconds: clock.now() - startedAt };
  }
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
async function toOutcome(outbox: Outbox, row: DeliveryRow, sent: Attempt): Promise<Outcome> {
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

/** Saves a new secret version; true if there was one. */
async function noteRotation(outbox: Outbox, hook: HookModel, row: DeliveryRow, to: Receiver | undefined) {
  const { database } = outbox.context.services;
  const version = hook.definition.secretVersion ?? 1;
  if (toWantedVersion(row, version, to?.secretVersion).version === Number(row.version)) return false;
  const now = outbox.now();
  await database.write(async () => {
    await rotateReceivers(database, hook.name, version, now);
    if (to) await touchReceiver(database, { ...to, hook: hook.name, version }, now);
  });
  return true;
}

/** Outcome if this plan does not know the receiver of a delivery. */
function toUnknown(outbox: Outbox, row: DeliveryRow, error: string): Outcome {
  const retryAt = toUnknownRetry(outbox.now(), Number(row.created_at));
  return retryAt === undefined ? toEnd(outbox, row, 'failed', error) : { retryAt, isFailed: false };
}

/**
 * Moves waiting deliveries to the receiver's new address. False if the event already has a delivery there.
 */
async function move(outbox: Outbox, hook: HookModel, row: DeliveryRow, to: Receiver): Promise<boolean> {
  const { database } = outbox.context.services;
  return database.write(async () => {
    if (await hasDelivery(database, row.event_id, to.key)) return false;
    await touchReceiver(
      database,
      { ...to, hook: hook.name, version: hook.definition.secretVersion ?? 1 },
      outbox.now(),
    );
    await updateDelivery(database, Number(row.delivery_id), { receiver: to.key, url: to.url });
    return true;
  });
}

/**
 * Whether the receiver need not be looked up again. A first attempt may come weeks later if the receiver
 * was disabled meanwhile: its app may be suspended by then. A revoked approval or consent also stops
 * running deliveries. A trial event contains no user's data.
 */
function isAsFound(outbox: Outbox, { definition: { approval, audience } }: HookModel, row: DeliveryRow): boolean {
  const isGuarded = row.client_id !== null && (approval === true || audience === 'user') && !isTrial(row.event_id);
  return !isGuarded && Number(row.attempts) === 0 && outbox.now() - Number(row.created_at) < FRESH_SECONDS;
}

/** Makes one attempt to send a delivery and returns the outcome for the queue. */
export async function deliver(outbox: Outbox, job: Job, signal: AbortSignal): Promise<Outcome> {
  const { database } = outbox.context.services;
  const row = await findDelivery(database, Number(job.payload));
  if (row?.state !== 'pending') return {};
  const hook = outbox.findHook(row.hook);
  if (!hook) return toUnknown(outbox, row, `The web hook ${row.hook} is no longer defined.`);
  const isFresh = isAsFound(outbox, hook, row);
  const to = isFresh ? undefined : await findStill(outbox.context, hook, row);
  if (!isFresh && !to) {
    const error = `This URL no longer receives the web hook${hook.definition.approval === true ? ', or lost its approval' : ''}.`;
    // The hook's own URL comes from a plan, apps come from the database that all plans share.
    return row.client_id === null ? toUnknown(outbox, row, error) : toEnd(outbox, row, 'failed', error);
  }
  const isMoved = to !== undefined && to.key !== row.receiver;
  if (isMoved && !(await move(outbox, hook, row, to)))
    return toEnd(outbox, row, 'failed', 'Another delivery takes the event to the address that the receiver has now.');
  const isRotated = !isMoved && (await noteRotation(outbox, hook, row, to));
  const current = isMoved || isRotated ? await findDelivery(database, Number(row.delivery_id)) : row;
  if (!current) return {};
  if (current.disabled_at !== null)
    return isTrial(current.event_id)
      ? toEnd(outbox, current, 'failed', 'The receiver is disabled: a trial event is not kept for it.')
      : toEnd(outbox, current, 'disabled', 'The receiver is disabled.');
  return toOutcome(outbox, current, await send(outbox, hook, current, signal));
}
