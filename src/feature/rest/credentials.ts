import { toObject } from '../../core/record.ts';
import type { Request } from '../../core/request/request.ts';
import { decodeForm, readBasic } from '../../core/secret/basic-credentials.ts';

/** An app's credentials from all their possible places. Each is undefined if missing. */
export interface ClientCredentials {
  readonly id: string | undefined;
  readonly secret: string | undefined;
  /** True if credentials came by Basic and in another way, or as a list. */
  readonly isAmbiguous: boolean;
  readonly isSecretInQuery: boolean;
}

export interface TokenCredentials {
  readonly token: string | undefined;
  readonly secret: string | undefined;
  readonly isAmbiguous: boolean;
  readonly isQuery: boolean;
  readonly isSecretInQuery: boolean;
}

const NAMES = ['client_id', 'client_secret', 'access_token', 'access_secret'] as const;
const BEARER = /^bearer +(.*?) *$/i;
const FORM = /^application\/x-www-form-urlencoded\b/i;

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const isOdd = (value: unknown): boolean => value !== undefined && value !== null && typeof value !== 'string';

/** Reads an app's credentials from query, body and HTTP Basic. @see RFC 6749 section 2.3.1 */
export function readClient(request: Request): ClientCredentials {
  const basic = readBasic(request);
  const queryId = request.getGet('client_id');
  const bodyId = request.getPost('client_id');
  const querySecret = request.getGet('client_secret');
  const bodySecret = request.getPost('client_secret');
  const ids = new Set([basic?.client_id, queryId, bodyId].filter(isText));
  const secrets = [basic?.client_secret, querySecret, bodySecret].filter(isText);
  return {
    id: [...ids][0],
    secret: secrets[0],
    isAmbiguous: ids.size > 1 || secrets.length > 1 || [queryId, bodyId, querySecret, bodySecret].some(isOdd),
    isSecretInQuery: isText(querySecret),
  };
}

/** Reads a user's token from the Authorization header, a form body or the query. @see RFC 6750 section 2 */
export function readToken(request: Request, isQueryRead: boolean): TokenCredentials {
  const bearer = BEARER.exec(request.getHeader('authorization') ?? '')?.[1];
  const query = isQueryRead ? request.getGet('access_token') : undefined;
  const isForm = FORM.test(request.getHeader('content-type') ?? '');
  const form = isForm && !isRead(request) ? request.getPost('access_token') : undefined;
  const tokens = [bearer, form, query].filter(isText);
  const querySecret = request.getGet('access_secret');
  const bodySecret = request.getPost('access_secret');
  const secrets = [request.getHeader('x-access-secret'), querySecret, bodySecret].filter(isText);
  return {
    token: tokens[0],
    secret: secrets[0],
    isAmbiguous: tokens.length > 1 || [query, form, querySecret, bodySecret].some(isOdd),
    isQuery: isText(query),
    isSecretInQuery: isText(querySecret),
  };
}

/** True if the method is safe (GET or HEAD). */
export function isRead(request: Request): boolean {
  const method = request.getMethod();
  return method === 'GET' || method === 'HEAD';
}

/**
 * Removes the credentials from everything that listeners, links and logs see. A path parameter of that name
 * stays.
 */
export function removeCredentials(request: Request): void {
  const stage = toObject(request.getStage());
  let isInQuery = false;
  for (const name of NAMES) {
    if (!Object.hasOwn(stage, name)) continue;
    isInQuery ||= request.hasGet(name);
    request.removeStage(name).removeGet(name).removePost(name);
    const parameter = request.getParameters(name);
    if (parameter !== undefined) request.setStage(name, parameter);
  }
  if (isInQuery) request.setQuery(removeFromQuery(request.getQuery(), NAMES));
}

/** A raw query string without these parameters, however their names are encoded. */
export function removeFromQuery(query: string, names: readonly string[]): string {
  return query
    .split('&')
    .filter((pair) => pair !== '' && !names.includes(decodeForm(pair.split('=', 1)[0] ?? '').split('[', 1)[0] ?? ''))
    .join('&');
}
