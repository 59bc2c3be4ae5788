import { namesProblem } from '../../core/request/problem-accept.ts';
import type { Request } from '../../core/request/request.ts';
import type { Response } from '../../core/request/response.ts';
import { noteOthers } from '../../core/text/rule-note.ts';
import { type Rejection, reject } from '../../plan/event/event.ts';

export const EMPTY = 'Cannot be empty';

/** An error of the token endpoint, with its name from RFC 6749 section 5.2. */
export interface TokenError {
  readonly error:
    | 'invalid_request'
    | 'invalid_client'
    | 'invalid_grant'
    | 'invalid_scope'
    | 'invalid_target'
    | 'unauthorized_client'
    | 'unsupported_grant_type'
    | 'temporarily_unavailable'
    | 'server_error';
  readonly status: number;
  readonly message: string;
  readonly validation?: Readonly<Record<string, string>>;
  readonly retrySeconds?: number;
}

export const badRequest = (message: string, validation: Readonly<Record<string, string>> = {}): TokenError => ({
  error: 'invalid_request',
  status: 400,
  message,
  validation,
});

/** The same error for unknown, expired, used and other apps' codes, so that nobody learns which. */
export const BAD_CODE: TokenError = {
  error: 'invalid_grant',
  status: 400,
  message: 'The code is unknown, expired or used.',
  validation: { code: 'Token does not belong with this session' },
};

/** The same for refresh tokens. */
export const BAD_REFRESH: TokenError = {
  error: 'invalid_grant',
  status: 400,
  message: 'The refresh token is unknown, expired, used or revoked.',
};

export const BAD_CLIENT: TokenError = {
  error: 'invalid_client',
  status: 401,
  message: 'The app is unknown, suspended, or its secret is wrong.',
};

export const BAD_SCOPE: TokenError = {
  error: 'invalid_scope',
  status: 400,
  message: 'A scope is unknown, or more than what was granted.',
};

/** @see RFC 8707 section 2 */
export const BAD_TARGET: TokenError = {
  error: 'invalid_target',
  status: 400,
  message: 'This server issues no tokens for that resource: resource must be its own address.',
};

export const BAD_GRANT_TYPE: TokenError = {
  error: 'unsupported_grant_type',
  status: 400,
  message: 'grant_type must be authorization_code, refresh_token or client_credentials.',
};

/** The codes of the errors, for a client that asks for problem details. */
const CODES: Readonly<Record<TokenError['error'], string>> = {
  invalid_request: 'OAUTH_REQUEST_INVALID',
  invalid_client: 'OAUTH_CLIENT_INVALID',
  invalid_grant: 'OAUTH_GRANT_INVALID',
  invalid_scope: 'OAUTH_SCOPE_INVALID',
  invalid_target: 'OAUTH_TARGET_INVALID',
  unauthorized_client: 'OAUTH_CLIENT_NOT_ALLOWED',
  unsupported_grant_type: 'OAUTH_GRANT_TYPE_UNKNOWN',
  temporarily_unavailable: 'SERVICE_BUSY',
  server_error: 'SERVER_FAILED',
};

/** Codes where the status says more than the name from the standard. */
const CODES_BY_STATUS: Readonly<Record<number, string>> = { 405: 'METHOD_NOT_ALLOWED', 429: 'ATTEMPTS_TOO_MANY' };

/** Marks a response of {@link rejectToken}. */
export const OAUTH_ERROR = 'oauth-error';

/** What an event returns for an error of the token endpoint; its headers are set. */
export function rejectToken(response: Response, error: TokenError): Rejection {
  if (error.retrySeconds !== undefined) response.addHeader('retry-after', String(error.retrySeconds));
  response.addHeader(OAUTH_ERROR, error.error);
  const { status, message, validation = {} } = error;
  noteOthers(validation);
  const code = CODES_BY_STATUS[status] ?? CODES[error.error];
  return reject({ status, message, validation, code });
}

/** Whether an error goes to the client as problem details, which it asked for, in place of the exact body of the standard. */
export function isProblem(request: Request, response: Response): boolean {
  if (!response.isError() || !namesProblem(request.getHeader('accept'))) return false;
  response.removeHeader(OAUTH_ERROR);
  return true;
}

/** As {@link rejectToken}, for a route. */
export const refuseToken = (response: Response, error: TokenError): void =>
  response.refuse(rejectToken(response, error).refusal);

/** The challenge for wrong credentials that came by the header. @see RFC 6749 section 5.2 */
export const BASIC_CHALLENGE = 'Basic realm="Treadle", charset="UTF-8"';
