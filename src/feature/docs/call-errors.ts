import type { CallPlan } from '../../plan/feature.ts';
import type { Action } from './call-facts.ts';

/** A status that a call can fail with. */
export interface ErrorFacts {
  readonly status: number;
  readonly reason: string;
  /** Whether only a method that changes something meets it. */
  readonly isOfWrites: boolean;
}

/** Actions that answer 404 where a row is not there: a batch names rows in its body. */
const ON_ROWS: readonly Action[] = ['detail', 'update', 'remove', 'restore', 'link', 'unlink', 'batch', 'other'];
const OF_WRITES: readonly number[] = [409, 413, 415, 422, 428];

/** Whether a write of this action may be held to a version by `If-Match`. */
export const hasVersion = (action: Action): boolean =>
  action === 'update' || action === 'remove' || action === 'restore';

/** Every status that a call can fail with, and why. */
export function listErrors(call: CallPlan, action: Action): ErrorFacts[] {
  const { access, method, concurrency } = call.definition;
  const isWrite = method !== 'get';
  const isHeld = isWrite && hasVersion(action);
  const errors: [boolean, number, string][] = [
    [true, 400, 'A parameter, a body or a credential is malformed, or names a column that is not there.'],
    [access === 'app', 401, 'The app is unknown, or the client secret is wrong or missing.'],
    [access === 'user', 401, 'There is no access token, or it is unknown, expired or revoked.'],
    [access !== 'public', 403, 'The app or the token does not hold a scope that lists this call.'],
    [ON_ROWS.includes(action), 404, 'There is no such row, or it is not the user’s.'],
    [!call.handler, 406, 'Accept leaves application/json out.'],
    [isWrite, 409, 'The change meets another row, or a call with this Idempotency-Key is still running.'],
    [isHeld, 412, 'The row is no longer what If-Match names; ETag has its version now.'],
    [!isWrite && !call.handler, 412, 'The answer is no longer what If-Match names.'],
    [isWrite, 413, 'The body is larger than this server takes.'],
    [isWrite, 415, 'The body is of a type that this call does not take.'],
    [isWrite, 422, 'A value breaks a rule; validation names it. Or the Idempotency-Key came with another request.'],
    [isHeld && concurrency === 'required', 428, 'The call changes one version of a row: send its ETag in If-Match.'],
    [access !== 'public', 429, 'Too many requests in this minute; Retry-After says when to come back.'],
  ];
  return errors
    .filter(([isMet]) => isMet)
    .map(([, status, reason]) => ({ status, reason, isOfWrites: OF_WRITES.includes(status) }));
}
