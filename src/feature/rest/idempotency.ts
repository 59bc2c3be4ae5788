import { createHash, type Hash } from 'node:crypto';
import type { Actor } from '../../access/grant.ts';
import { toSeconds } from '../../core/clock.ts';
import type { Next } from '../../core/compose.ts';
import { toEnvelope } from '../../core/request/json-list.ts';
import type { Request } from '../../core/request/request.ts';
import type { Response } from '../../core/request/response.ts';
import { isSentFile } from '../../core/request/sent-file.ts';
import { digest } from '../../core/secret/secret.ts';
import { toNetwork } from '../../core/text/network.ts';
import type { CallPlan, Context } from '../../plan/feature.ts';
import type { CallExchange, CallStep } from './call-step.ts';
import { compileCallTransaction, type Unit } from './call-transaction.ts';
import { isRead } from './credentials.ts';
import { MESSAGES, refuse } from './errors.ts';
import { findKey, type StoredKey, saveAnswer, takeKey } from './sql.ts';

/** An answer to replay. */
interface StoredAnswer {
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string;
  readonly isBytes: boolean;
}

/** Headers that belong to one request only. */
const PASSING = /^(?:ratelimit|ratelimit-policy|retry-after|vary|access-control-.+|www-authenticate|set-cookie)$/;
const JSON_TYPE = 'application/json; charset=utf-8';

/** The answer as text; undefined for a stream, which cannot be sent twice. */
function printAnswer(response: Response): string | undefined {
  if (response.getStream()) return undefined;
  const headers = Object.fromEntries(Object.entries(response.getHeaders()).filter(([name]) => !PASSING.test(name)));
  const content = response.getContent();
  const isBytes = content instanceof Uint8Array;
  const serialize = (body: string, type?: string): string =>
    JSON.stringify({
      headers:
        type === undefined || headers['content-type'] !== undefined ? headers : { ...headers, 'content-type': type },
      body,
      isBytes,
    } satisfies StoredAnswer);
  if (isBytes) return serialize(Buffer.from(content).toString('base64'));
  if (response.hasContent()) return serialize(String(content));
  return response.hasJson() && response.getStatus() !== 204
    ? serialize(toEnvelope(response.getResults()), JSON_TYPE)
    : serialize('');
}

/** Sets a stored answer on a response. */
function setAnswer(response: Response, status: number, text: string): void {
  const { headers, body, isBytes }: StoredAnswer = JSON.parse(text);
  for (const [name, value] of Object.entries(headers)) response.addHeader(name, value);
  response.addHeader('idempotency-replayed', 'true').setStatus(status);
  if (body !== '') response.setContent(isBytes ? Buffer.from(body, 'base64') : body);
  response.setAnswered();
}

const FORM = /^(?:application\/x-www-form-urlencoded|multipart\/form-data)\b/i;

/** Adds a form's values in order; a file by its bytes. */
function addValue(sum: Hash, value: unknown): void {
  if (isSentFile(value)) {
    sum.update(`file ${JSON.stringify([value.name, value.type])} `);
    sum.update(createHash('sha256').update(value.buffer).digest());
  } else if (typeof value === 'object' && value !== null) {
    sum.update(Array.isArray(value) ? '[' : '{');
    for (const [key, item] of Object.entries(value)) {
      sum.update(`${JSON.stringify(key)}:`);
      addValue(sum, item);
    }
    sum.update('}');
  } else sum.update(`${JSON.stringify(value) ?? ''},`);
}

/**
 * SHA-256 of a request's method, path, query and body, without its credentials. A form is hashed by its
 * values, because its multipart boundary differs each time.
 */
export function toFingerprint(request: Request): string {
  const sum = createHash('sha256');
  sum.update(`${request.getMethod()}\n${request.getPath('string')}?${request.getQuery()}\n`);
  const content = request.getContent();
  if (FORM.test(request.getHeader('content-type') ?? '')) {
    addValue(sum, request.getPost());
    addValue(sum, request.getFiles());
  } else if (content instanceof Uint8Array) sum.update(content);
  else sum.update(String(content ?? ''));
  return sum.digest('hex');
}

/** Seconds that an answer is stored. */
export const RETENTION_SECONDS = 86_400;
/**
 * Milliseconds that a request waits for another one with the same key; shorter than a transaction may last.
 */
const PATIENCE_MS = 2000;
/** Value of `Retry-After` if the other request is still running. */
const RETRY_SECONDS = 1;

const KEY = /^[\x21-\x7e]{1,255}$/;

/** Thrown if another process holds the key; nothing was done. */
class KeyTakenError extends Error {}

/** The header's key, with or without the quotes of a structured string. */
function readKey(given: string): string | undefined {
  const key = /^"(.*)"$/.exec(given.trim())?.[1] ?? given.trim();
  return KEY.test(key) ? key : undefined;
}

/**
 * Scopes a key to its sender: an app, an app and user, or for calls without credentials the client's network.
 * Otherwise a stranger who guesses a key could read the stored answer.
 */
function toHash(actor: Actor, key: string, request: Request): string {
  const owner: unknown[] = [actor.kind, actor.appId ?? null, actor.authId ?? null];
  if (actor.appId === undefined) owner.push(toNetwork(String(request.getServer('REMOTE_ADDR') ?? '')));
  return digest(JSON.stringify([...owner, key]));
}

interface KeyedRequest {
  readonly hash: string;
  readonly fingerprint: string;
  readonly request: Request;
  readonly response: Response;
}

/** Running requests of this process, by the hash of their key. */
type Flights = Map<string, Promise<void>>;

/** Waits until no request with the key is running in this process; false after the time limit. */
async function waitForTurn({ services: { clock } }: Context, flights: Flights, hash: string): Promise<boolean> {
  const until = clock.now() + PATIENCE_MS;
  for (let flight = flights.get(hash); flight !== undefined; flight = flights.get(hash)) {
    const left = until - clock.now();
    if (left <= 0) return false;
    let cancel = (): void => {};
    const late = new Promise<void>((resolve) => {
      cancel = clock.after(left, resolve);
    });
    await Promise.race([flight, late]);
    cancel();
  }
  return true;
}

function refuseRunning(response: Response): false {
  response.addHeader('retry-after', String(RETRY_SECONDS));
  return refuse(response, {
    status: 409,
    code: 'IDEMPOTENCY_KEY_RUNNING',
    header: 'Idempotency-Key',
    message: MESSAGES.keyRunning,
  });
}

/** Answers with the stored answer of the key. */
function replay({ services }: Context, { response, fingerprint }: KeyedRequest, stored: StoredKey): false | undefined {
  if (stored.fingerprint !== fingerprint)
    return refuse(response, {
      status: 422,
      code: 'IDEMPOTENCY_KEY_REUSED',
      header: 'Idempotency-Key',
      message: MESSAGES.keyOther,
    });
  if (stored.answer === undefined)
    return refuse(response, {
      status: 409,
      code: 'IDEMPOTENCY_ANSWER_LOST',
      header: 'Idempotency-Key',
      message: MESSAGES.keyLost,
    });
  setAnswer(response, stored.status, services.secret.open(stored.answer));
  return undefined;
}

/** Does the work and stores its answer in one transaction: after a crash both are there, or neither. */
async function perform(
  context: Context,
  keyed: KeyedRequest,
  unit: Unit,
  next: () => Promise<unknown>,
): Promise<unknown> {
  const { database, clock, secret } = context.services;
  const { hash, fingerprint, request, response } = keyed;
  const now = toSeconds(clock.now());
  return unit(request, response, async () => {
    const row = { key_hash: hash, fingerprint, created_at: now };
    if (!(await takeKey(database, row, now - RETENTION_SECONDS))) throw new KeyTakenError();
    const result = await next();
    if (response.isError()) return result;
    const text = printAnswer(response);
    const answer = text === undefined ? null : secret.seal(text);
    await saveAnswer(database, hash, { status: response.getStatus(), answer });
    return result;
  });
}

/**
 * Compiles `Idempotency-Key`: a repeated request with the same key gets the same answer, and the work is done
 * once. Only successful answers are stored: a refused request changed nothing, and can be corrected and sent
 * again.
 *
 * @see draft-ietf-httpapi-idempotency-key-header
 */
export function compileIdempotency(call: CallPlan, context: Context): CallStep | undefined {
  if (call.definition.method === 'get') return undefined;
  const flights: Flights = new Map();
  const unit = compileCallTransaction(call, context);
  const { database, clock } = context.services;
  const find = (hash: string): Promise<StoredKey | undefined> =>
    findKey(database, hash, toSeconds(clock.now()) - RETENTION_SECONDS);
  const once = async (given: string, x: CallExchange, next: Next<CallExchange>): Promise<unknown> => {
    const { request, response, caller } = x;
    const key = readKey(given);
    if (key === undefined)
      return refuse(response, {
        status: 400,
        code: 'IDEMPOTENCY_KEY_INVALID',
        header: 'Idempotency-Key',
        message: MESSAGES.keyOdd,
      });
    const hash = toHash(caller.actor, key, request);
    const keyed = { hash, fingerprint: toFingerprint(request), request, response };
    if (!(await waitForTurn(context, flights, hash))) return refuseRunning(response);
    let land = (): void => {};
    const flight = new Promise<void>((resolve) => {
      land = resolve;
    });
    flights.set(hash, flight);
    try {
      const stored = await find(hash);
      if (stored) return replay(context, keyed, stored);
      return await perform(context, keyed, unit, async () => next(x));
    } catch (error) {
      if (!(error instanceof KeyTakenError)) throw error;
      const stored = await find(hash);
      return stored ? replay(context, keyed, stored) : refuseRunning(response);
    } finally {
      flights.delete(hash);
      land();
    }
  };
  return {
    name: 'idempotent',
    run(x, next) {
      const given = isRead(x.request) ? undefined : x.request.getHeader('idempotency-key');
      return given === undefined ? next(x) : once(given, x, next);
    },
  };
}
