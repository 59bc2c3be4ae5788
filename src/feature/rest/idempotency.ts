import type { Actor } from '../../access/grant.ts';
import { toSeconds } from '../../core/clock.ts';
import type { Next } from '../../core/compose.ts';
import { toNetwork } from '../../core/network.ts';
import type { Request } from '../../core/request.ts';
import type { Response } from '../../core/response.ts';
import { digest } from '../../core/secret.ts';
import type { CallPlan, Context } from '../../plan/feature.ts';
import type { CallExchange, CallStep } from './call-step.ts';
import { compileCallTransaction, type Unit } from './call-transaction.ts';
import { isRead } from './credentials.ts';
import { MESSAGES, refuse } from './errors.ts';
import { toFingerprint } from './fingerprint.ts';
import { findKey, keepAnswer, type StoredKey, takeKey } from './sql.ts';
import { printAnswer, setAnswer } from './stored-answer.ts';

/** Seconds that an answer is kept. */
export const KEPT_SECONDS = 86_400;
/**
 * Milliseconds that a request waits for another one with the same key; shorter than a transaction may last.
 */
const PATIENCE_MS = 2000;
/** Value of `Retry-After` if the other request is still running. */
const RETRY_SECONDS = 1;

const KEY = /^[\x21-\x7e]{1,255}$/;

/** Thrown if another process holds the key; nothing was done. */
class Taken extends Error {}

/** The header's key, with or without the quotes of a structured string. */
function readKey(given: string): string | undefined {
  const key = /^"(.*)"$/.exec(given.trim())?.[1] ?? given.trim();
  return KEY.test(key) ? key : undefined;
}

/**
 * Scopes a key to its sender: an app, an app and user, or for calls without credentials the client's network.
 * Otherwise a stranger who guesses a key could read the kept answer.
 */
function toHash(actor: Actor, key: string, request: Request): string {
  const owner: unknown[] = [actor.kind, actor.appId ?? null, actor.authId ?? null];
  if (actor.appId === undefined) owner.push(toNetwork(String(request.getServer('REMOTE_ADDR') ?? '')));
  return digest(JSON.stringify([...owner, key]));
}

interface Asked {
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
  return refuse(response, { status: 409, message: MESSAGES.keyRunning });
}

/** Answers with the kept answer of the key. */
function replay({ services }: Context, { response, fingerprint }: Asked, stored: StoredKey): false | undefined {
  if (stored.fingerprint !== fingerprint) return refuse(response, { status: 422, message: MESSAGES.keyOther });
  if (stored.answer === undefined) return refuse(response, { status: 409, message: MESSAGES.keyLost });
  setAnswer(response, stored.status, services.secret.open(stored.answer));
  return undefined;
}

/** Does the work and stores its answer in one transaction: after a crash both are there, or neither. */
async function perform(context: Context, asked: Asked, unit: Unit, next: () => Promise<unknown>): Promise<unknown> {
  const { database, clock, secret } = context.services;
  const { hash, fingerprint, request, response } = asked;
  const now = toSeconds(clock.now());
  return unit(request, response, async () => {
    const row = { key_hash: hash, fingerprint, created_at: now };
    if (!(await takeKey(database, row, now - KEPT_SECONDS))) throw new Taken();
    const result = await next();
    if (response.isError()) return result;
    const text = printAnswer(response);
    const answer = text === undefined ? null : secret.seal(text);
    await keepAnswer(database, hash, { status: response.getStatus(), answer });
    return result;
  });
}

/**
 * Compiles `Idempotency-Key`: a repeated request with the same key gets the same answer, and the work is done
 * once. Only successful answers are kept: a refused request changed nothing, and can be corrected and sent
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
    findKey(database, hash, toSeconds(clock.now()) - KEPT_SECONDS);
  const once = async (given: string, x: CallExchange, next: Next<CallExchange>): Promise<unknown> => {
    const { request, response, caller } = x;
    const key = readKey(given);
    if (key === undefined) return refuse(response, { status: 400, message: MESSAGES.keyOdd });
    const hash = toHash(caller.actor, key, request);
    const asked = { hash, fingerprint: toFingerprint(request), request, response };
    if (!(await waitForTurn(context, flights, hash))) return refuseRunning(response);
    let land = (): void => {};
    const flight = new Promise<void>((resolve) => {
      land = resolve;
    });
    flights.set(hash, flight);
    try {
      const stored = await find(hash);
      if (stored) return replay(context, asked, stored);
      return await perform(context, asked, unit, async () => next(x));
    } catch (error) {
      if (!(error instanceof Taken)) throw error;
      const stored = await find(hash);
      return stored ? replay(context, asked, stored) : refuseRunning(response);
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
