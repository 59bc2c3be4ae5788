import { translate } from '../../core/text/translate.ts';
import type { CallPlan } from '../../plan/feature.ts';

export type Action =
  | 'search'
  | 'detail'
  | 'create'
  | 'update'
  | 'remove'
  | 'restore'
  | 'link'
  | 'unlink'
  | 'batch'
  | 'other';

/** An error status of a call. */
export interface ErrorFacts {
  readonly status: number;
  readonly reason: string;
  /** True if only methods that write can return it. */
  readonly isOfWrites: boolean;
}

/** Actions that answer 404 for a missing row: a batch names rows in its body. */
const ON_ROWS: readonly Action[] = ['detail', 'update', 'remove', 'restore', 'link', 'unlink', 'batch', 'other'];
const OF_WRITES: readonly number[] = [409, 413, 415, 422, 428];

/** True if `If-Match` may condition a write of this action. */
export const hasVersion = (action: Action): boolean =>
  action === 'update' || action === 'remove' || action === 'restore';

/** Every error status of a call, with its reason. */
export function listErrors(call: CallPlan, action: Action): ErrorFacts[] {
  const { access, method, concurrency } = call.definition;
  const isWrite = method !== 'get';
  const isHeld = isWrite && hasVersion(action);
  const errors: [boolean, number, string][] = [
    [true, 400, translate('A parameter, a body or a credential is malformed, or names an unknown column.')],
    [access === 'app', 401, translate('The app is unknown, or the client secret is wrong or missing.')],
    [access === 'user', 401, translate('The access token is missing, unknown, expired or revoked.')],
    [access !== 'public', 403, translate('The app or the token has no scope that lists this call.')],
    [ON_ROWS.includes(action), 404, translate('The row does not exist, or does not belong to the user.')],
    [!call.handler, 406, translate('Accept does not allow application/json.')],
    [
      isWrite,
      409,
      translate('The change conflicts with another row, or a call with this Idempotency-Key is still running.'),
    ],
    [isHeld, 412, translate('The row no longer has the version in If-Match; ETag has the current one.')],
    [!isWrite && !call.handler, 412, translate('The answer no longer has the version in If-Match.')],
    [isWrite, 413, translate('The body is larger than this server accepts.')],
    [isWrite, 415, translate('The body has a type that this call does not accept.')],
    [
      isWrite,
      422,
      translate('A value breaks a rule; validation names it. Or the Idempotency-Key was used for another request.'),
    ],
    [
      isHeld && concurrency === 'required',
      428,
      translate('The call changes one version of a row: send its ETag in If-Match.'),
    ],
    [access !== 'public', 429, translate('Too many requests in this minute; Retry-After says how long to wait.')],
  ];
  return errors
    .filter(([isMet]) => isMet)
    .map(([, status, reason]) => ({ status, reason, isOfWrites: OF_WRITES.includes(status) }));
}
