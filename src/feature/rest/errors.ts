import type { Refusal, Response } from '../../core/request/response.ts';
import { noteRule } from '../../core/text/rule-note.ts';

/** Answers with a refusal, for credentials with a challenge (RFC 6750 section 3). Always false, so that a guard can return it. */
export function refuse(response: Response, refusal: Refusal, challenge?: string): false {
  if (challenge !== undefined) response.addHeader('www-authenticate', challenge);
  if (refusal.header !== undefined) noteRule(refusal.message, { rule: 'header' });
  response.refuse(refusal);
  return false;
}

/** A quoted-string (RFC 9110 section 5.6.4), without the characters that it cannot hold. */
function quote(text: string): string {
  const plain = text.replace(/[^\x20-\x7e]/g, '').replace(/["\\]/g, '\\$&');
  return `"${plain}"`;
}

/**
 * The challenges of an API, with the site's name as realm. @see RFC 6750 section 3. @see RFC 9728 section 5.1
 */
export interface Challenges {
  bearer(error?: string, parameters?: Readonly<Record<string, string>>): string;
  basic(): string;
}

/**
 * @param findMetadata Address of the metadata that names the authorization server; undefined if there is
 * none.
 */
export function createChallenges(realm: string, findMetadata?: () => string): Challenges {
  const plain = `realm=${quote(realm)}`;
  return {
    bearer: (error, parameters = {}) =>
      [
        `Bearer ${plain}`,
        ...(error === undefined ? [] : [`error="${error}"`]),
        ...Object.entries(parameters).map(([name, value]) => `${name}=${quote(value)}`),
        // Only if a new token would help: not if the scope is missing or the token came twice.
        ...(findMetadata && (error === undefined || error === 'invalid_token')
          ? [`resource_metadata=${quote(findMetadata())}`]
          : []),
      ].join(', '),
    basic: () => `Basic ${plain}, charset="UTF-8"`,
  };
}

export const MESSAGES = {
  appMissing: 'This call needs an app: send client_id in the query, or client id and secret by HTTP Basic.',
  appUnknown: 'The app is unknown, suspended, or its client secret is wrong.',
  appTwice: 'The client credentials were sent in two ways. Send them in one way only.',
  secretMissing: 'A call that changes data needs the client secret: send it by HTTP Basic or in the body.',
  secretInQuery: 'A client secret must not be in the query string. Send it by HTTP Basic or in the body.',
  tokenMissing: 'This call needs an access token: send it as "Authorization: Bearer <token>".',
  tokenTwice: 'The access token was sent more than once. Send it in one way only.',
  tokenUnknown: 'The access token is unknown, expired or revoked. Ask the user for a new one.',
  tokenOfApp: 'This call needs a token that a user granted; this one was issued to the app itself.',
  tokenOfUser: 'This call is for the app itself: send client_id, or a token from client_credentials.',
  tokenReads:
    'An access token in the query string allows only reads: send it as "Authorization: Bearer <token>", or add its access_secret.',
  unreachable: 'No scope lists this call, so no token can call it. Add it to a file in config/scope.',
  versionMissing: 'This call changes one version of a row: read it first, and send its ETag in If-Match.',
  versionOther: 'The row has changed since you read it. Read it again and send its new ETag.',
  versionThere: 'If-None-Match names the current version of the row, so nothing was changed.',
  keyOdd: 'Idempotency-Key must have 1 to 255 visible ASCII characters, such as a UUID.',
  keyOther: 'This Idempotency-Key was already used for another request. Use a new key for a new request.',
  keyRunning:
    'The request with this Idempotency-Key is still running. Wait as long as Retry-After says, then send it again.',
  keyLost: 'The request with this Idempotency-Key succeeded, but its answer was a file, which is not kept.',
  accept: 'This call answers in application/json only, which the Accept header excludes.',
  rate: 'Too many requests with these credentials. Wait as long as Retry-After says.',
} as const;

/** The codes of the messages about credentials. */
export const CODES = {
  appMissing: 'APP_NOT_NAMED',
  appUnknown: 'APP_REFUSED',
  appTwice: 'CREDENTIALS_TWICE',
  secretMissing: 'SECRET_MISSING',
  secretInQuery: 'SECRET_IN_QUERY',
  tokenMissing: 'TOKEN_MISSING',
  tokenTwice: 'CREDENTIALS_TWICE',
  tokenUnknown: 'TOKEN_REFUSED',
  tokenOfApp: 'TOKEN_OF_APP',
  tokenOfUser: 'TOKEN_OF_USER',
} as const satisfies Partial<Record<keyof typeof MESSAGES, string>>;
