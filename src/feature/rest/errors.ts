import type { Refusal, Response } from '../../core/response.ts';

/** Answers with a refusal; for credentials with the challenge of RFC 6750 section 3. Always false, so that a guard can end with it. */
export function refuse(response: Response, refusal: Refusal, challenge?: string): false {
  if (challenge !== undefined) response.addHeader('www-authenticate', challenge);
  response.refuse(refusal);
  return false;
}

/** A quoted-string of RFC 9110 section 5.6.4; what it cannot hold is left out. */
function quote(text: string): string {
  const plain = text.replace(/[^\x20-\x7e]/g, '').replace(/["\\]/g, '\\$&');
  return `"${plain}"`;
}

/** The challenges of one API, whose realm is the site's name. @see RFC 6750 section 3. @see RFC 9728 section 5.1 */
export interface Challenges {
  bearer(error?: string, parameters?: Readonly<Record<string, string>>): string;
  basic(): string;
}

/** @param findMetadata Address of the metadata that tells where tokens come from; undefined where nothing gives any. */
export function createChallenges(realm: string, findMetadata?: () => string): Challenges {
  const plain = `realm=${quote(realm)}`;
  return {
    bearer: (error, parameters = {}) =>
      [
        `Bearer ${plain}`,
        ...(error === undefined ? [] : [`error="${error}"`]),
        ...Object.entries(parameters).map(([name, value]) => `${name}=${quote(value)}`),
        // Where a token would help: not where one has too little scope, or came twice.
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
  appTwice: 'Client credentials came in two ways. Send them once.',
  secretMissing: 'A call that changes something needs the client secret: send it by HTTP Basic or in the body.',
  secretInQuery: 'Secrets are not taken from the query string here. Send them by header or in the body.',
  tokenMissing: 'This call needs an access token: send it as "Authorization: Bearer <token>".',
  tokenTwice: 'The access token came more than once. Send it in one way only.',
  tokenUnknown: 'The access token is unknown, expired or revoked. Ask the user for a new one.',
  tokenOfApp: 'This call needs a token that a user granted; this one is of the app itself.',
  tokenOfUser: 'This call is for the app itself: send client_id, or a token that the app got by client_credentials.',
  tokenReads:
    'An access token in the query string reads only: send it as "Authorization: Bearer <token>", or its access_secret too.',
  unreachable: 'No scope lists this call, so no token reaches it. Add it to a file in config/scope.',
  versionMissing: 'This call changes one version of a row: read it first, and send its ETag in If-Match.',
  versionOther: 'The row was changed since you read it. Read it again, and decide anew with its ETag.',
  versionThere: 'If-None-Match names what the row is now, so nothing was done.',
  keyOdd: 'Idempotency-Key must have 1 to 255 visible ASCII characters, such as a UUID.',
  keyOther: 'This Idempotency-Key came before with another request. Use a new key for a new request.',
  keyRunning: 'The request with this Idempotency-Key still runs. Wait as long as Retry-After says, and send it again.',
  keyLost: 'The request with this Idempotency-Key was done; its answer was a file, which is not kept.',
  accept: 'This call answers in application/json, which the Accept header leaves out.',
  rate: 'Too many requests with these credentials. Wait as long as Retry-After says.',
} as const;
