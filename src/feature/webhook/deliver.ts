import { TreadleError } from '../../core/errors.ts';
import { packageVersion } from '../../core/package-root.ts';
import { deriveWebhookSecret, signWebhook } from '../../core/webhook-secret.ts';
import type { HookModel } from '../../model/model.ts';
import type { OutboundResponse } from '../../outbound/outbound.ts';
import { createEntries } from '../../queue/entry.ts';
import type { Job, Outcome } from '../../queue/queue.ts';
import { type AttemptRow, markFailing, recordAttempts } from './attempt-sql.ts';
import { tellDisabled } from './events/webhook-receiver-disabled.ts';
import { toLoggedBody, toLoggedHead } from './logged-answer.ts';
import type { Outbox } from './outbox.ts';
import { findStill, type Receiver } from './receiver.ts';
import { toWantedVersion } from './rotation.ts';
import { parseRetryAfter, toDelay } from './schedule.ts';
import {
  type DeliveryRow,
  findDelivery,
  rotateReceivers,
  touchReceiver,
  updateDelivery,
  updateReceiver,
} from './sql.ts';

/** Bytes of an answer's body that the log keeps. */
const LOGGED_BYTES = 20_000;
/** Both secrets sign for this long after a rotation was first seen. */
const DUAL_SECONDS = 86_400;
/** Nothing but failures for this long disables a receiver. */
const PATIENCE_SECONDS = 5 * 86_400;
/** For so long whom a delivery is for is as it was found. */
const FRESH_SECONDS = 60;

/** What came of one attempt. */
interface Attempt {
  /** Unix seconds at which it was sent, as in `webhook-timestamp`. */
  readonly at: number;
  /** What it was sent with. */
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
  // Another version in this plan: it is older than the process that rotated, or the definition was taken back.
  const own = known + (hook.definition.secretVersion ?? 1) - Number(row.hook_version);
  const versions = new Set([own, known]);
  const isRecent = row.rotated_at !== null && message.seconds - Number(row.rotated_at) < DUAL_SECONDS;
  if (isRecent && row.previous_version !== null) versions.add(Number(row.previous_version));
  const name = hook.definition.secretName ?? hook.name;
  return [...versions]
    .map((each) => signWebhook(deriveWebhookSecret(secret, name, row.client_id ?? undefined, each), message))
    .join(' ');
}

/** The exact text that is signed and sent, the same for every attempt. */
export function toBody(row: Pick<DeliveryRow, 'type' | 'data' | 'event_at'>): string {
  const timestamp = new Date(Number(row.event_at) * 1000).toISOString();
  return `{"type":${JSON.stringify(row.type)},"timestamp":"${timestamp}","data":${row.data}}`;
}

async function send(outbox: Outbox, hook: HookModel, row: DeliveryRow, signal: AbortSignal): Promise<Attempt> {
  const { outbound, clock } = outbox.context.services;
  const at = outbox.now();
  const startedAt = clock.now();
  const body = toBody(row);
  const headers = {
    'content-type': 'application/json',
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
    // The system's own messages begin with the same word: `connect ECONNREFUSED`.
    const why = typeof detail === 'string' && !message.startsWith(detail) ? `${detail}: ${message}` : message;
    return { at, headers, answer: undefined, error: why, milliseconds: clock.now() - startedAt };
  }
}

const isSuccess = (attempt: Attempt): boolean =>
  attempt.answer !== undefined && attempt.answer.status >= 200 && attempt.answer.status < 300;

/** Why a receiver is to be disabled after this failure; undefined where it is not. */
function findDisabling(row: DeliveryRow, attempt: Attempt): string | undefined {
  if (attempt.answer?.status === 410) return 'It answered 410 Gone.';
  if (row.failing_since === null) return undefined;
  const isOver = attempt.at - Number(row.failing_since) >= PATIENCE_SECONDS;
  return isOver ? 'Every attempt of five days failed.' : undefined;
}

/** What is written of an attempt. */
interface Recorded {
  readonly outbox: Outbox;
  readonly row: DeliveryRow;
  readonly attempt: AttemptRow;
  /** Why its receiver is disabled. */
  readonly disabling: string | undefined;
}

async function recordReceiver({ outbox, row, attempt, disabling }: Recorded): Promise<void> {
  const { database, log } = outbox.context.services;
  if (attempt.state === 'delivered') {
    if (row.failing_since !== null) await updateReceiver(database, row.receiver, { failing_since: null });
  } else if (disabling !== undefined) {
    await updateReceiver(database, row.receiver, { disabled_at: attempt.settled_at, disabled_reason: disabling });
    // Not the URL: its path or query may hold the receiver's own secret.
    log.warn('webhook.receiver.disabled', { hook: row.hook, clientId: row.client_id, reason: disabling });
    const { hook, client_id: clientId, url } = row;
    await tellDisabled(outbox.context, { hook, clientId, url, reason: disabling });
  } else if (row.failing_since === null) await markFailing(database, row.receiver, attempt.at);
}

const recordAttempt = createEntries<Recorded>(async (items) => {
  const [first] = items;
  if (first === undefined) return;
  await recordAttempts(
    first.outbox.context.services.database,
    items.map(({ attempt }) => attempt),
  );
  // Receivers in one order, so that two processes never wait for each other.
  const sorted = [...items].sort((a, b) => (a.row.receiver < b.row.receiver ? -1 : 1));
  for (const item of sorted) await recordReceiver(item);
});

/** The rows that one attempt changes, and whether there is another. */
function toOutcome(outbox: Outbox, row: DeliveryRow, sent: Attempt): Outcome {
  const { random } = outbox.context.services;
  const { answer, error, headers, milliseconds, at } = sent;
  const isDelivered = isSuccess(sent);
  const now = outbox.now();
  const disabling = isDelivered ? undefined : findDisabling(row, sent);
  const number = Number(row.attempts) + 1;
  const wait = parseRetryAfter(answer?.headers['retry-after'], now);
  const isOver = isDelivered || disabling !== undefined;
  const delay = isOver ? undefined : toDelay(number - Number(row.attempts_before), wait, random);
  const retryAt = delay === undefined ? undefined : now + delay;
  const ended = isDelivered ? 'delivered' : disabling !== undefined ? 'disabled' : 'failed';
  const attempt: AttemptRow = {
    delivery_id: Number(row.delivery_id),
    number,
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
  const entry = recordAttempt({ outbox, row, attempt, disabling });
  return { ...(retryAt === undefined ? {} : { retryAt }), isFailed: !isDelivered, entry };
}

interface Ended {
  readonly outbox: Outbox;
  readonly row: DeliveryRow;
  readonly state: 'failed' | 'disabled';
  readonly error: string;
}

/** Deliveries that end without an attempt. */
const recordEnd = createEntries<Ended>(async (items) => {
  for (const { outbox, row, state, error } of items) {
    const values = { state, error, next_at: null, settled_at: outbox.now() };
    await updateDelivery(outbox.context.services.database, Number(row.delivery_id), values);
  }
});

const toEnd = (outbox: Outbox, row: DeliveryRow, state: Ended['state'], error: string): Outcome => ({
  entry: recordEnd({ outbox, row, state, error }),
});

/** Notes a secret that is new by now; tells whether there was one. */
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

/** Makes one attempt to send a delivery and tells the queue what came of it. */
export async function deliver(outbox: Outbox, job: Job, signal: AbortSignal): Promise<Outcome> {
  const { database } = outbox.context.services;
  const row = await findDelivery(database, Number(job.payload));
  if (row?.state !== 'pending') return {};
  const hook = outbox.hooks.get(row.hook);
  if (!hook) return toEnd(outbox, row, 'failed', `The web hook ${row.hook} is no longer defined.`);
  if (row.disabled_at !== null) return toEnd(outbox, row, 'disabled', 'The receiver is disabled.');
  // A first attempt may come weeks later, where the receiver was disabled meanwhile: its app may be suspended by now.
  const isFresh = Number(row.attempts) === 0 && outbox.now() - Number(row.created_at) < FRESH_SECONDS;
  const to = isFresh ? undefined : await findStill(outbox.context, hook, row);
  if (!isFresh && !to) return toEnd(outbox, row, 'failed', 'This URL no longer receives the web hook.');
  const isRotated = await noteRotation(outbox, hook, row, to);
  const current = isRotated ? await findDelivery(database, Number(row.delivery_id)) : row;
  return current ? toOutcome(outbox, current, await send(outbox, hook, current, signal)) : {};
}
