import { TreadleError } from '../../../core/errors.ts';
import type { Request } from '../../../core/request/request.ts';
import type { Response } from '../../../core/request/response.ts';
import { readBasic } from '../../../core/secret/basic-credentials.ts';
import type { Context, RouteContribution } from '../../../plan/feature.ts';
import { markOrigin } from '../client/origins.ts';
import {
  BAD_CLIENT,
  BASIC_CHALLENGE,
  badRequest,
  isProblem,
  OAUTH_ERROR,
  refuseToken,
  type TokenError,
} from '../errors.ts';

/** An endpoint to which apps post a form. */
interface Endpoint {
  readonly path: string;
  readonly event: string;
  readonly description: string;
  /** Parameters besides the client's credentials; others are ignored. */
  readonly fields: readonly string[];
  /** Whether pages of public clients may read the response (CORS). */
  readonly isOpenToPages: boolean;
}

type RequestFields = Readonly<Record<string, string>>;

const CLIENT = ['client_id', 'client_secret'] as const;
const FORM = /^application\/x-www-form-urlencoded\s*(;\s*charset="?utf-8"?\s*)?$/i;
/** A token may be for several resources. @see RFC 8707 section 2.2 */
const REPEATABLE = 'resource';
/** Characters not allowed in a description. @see RFC 6749 section 5.2 */
const PLAIN = /[^\x20-\x21\x23-\x5b\x5d-\x7e]/g;

const isTokenError = (given: RequestFields | TokenError): given is TokenError => 'status' in given;

/** The body's parameters, each at most once; an empty one counts as missing. */
function readFields(request: Request, names: readonly string[]): RequestFields | TokenError {
  const query = new URLSearchParams(request.getQuery());
  if (names.some((name) => query.has(name))) return badRequest('Parameters belong in the body, not in the address.');
  if (request.hasContent() && !FORM.test(request.getHeader('content-type') ?? '')) {
    return badRequest('The body must be application/x-www-form-urlencoded.');
  }
  const body = new URLSearchParams(String(request.getContent() ?? ''));
  const given: Record<string, string> = {};
  for (const name of names) {
    const values = body.getAll(name);
    if (values.length > 1 && name !== REPEATABLE) return badRequest(`${name} is there twice.`);
    // No address has a space.
    if (values[0]) given[name] = values.join(' ');
  }
  return given;
}

/** The parameters and the client's credentials, which come by HTTP Basic or in the body, never by both. */
function readGiven(request: Request, fields: readonly string[]): RequestFields | TokenError {
  const given = readFields(request, [...CLIENT, ...fields]);
  if (isTokenError(given) || request.getHeader('authorization') === undefined) return given;
  const basic = readBasic(request);
  if (!basic) return BAD_CLIENT;
  if (given.client_secret !== undefined || (given.client_id ?? basic.client_id) !== basic.client_id) {
    return badRequest('The app proves itself in two ways at once.');
  }
  return { ...given, ...basic };
}

/**
 * Converts an error of the database or the code for this endpoint; the runtime handles errors of the
 * request.
 */
function toTokenError(error: unknown): TokenError {
  // A text that no database accepts, such as one with a NUL.
  if (error instanceof TreadleError && error.isExposed) return badRequest(error.message);
  const isBusy = error instanceof TreadleError && error.status === 503;
  if (isBusy) {
    const message = 'The server cannot answer now.';
    return { error: 'temporarily_unavailable', status: 503, message, retrySeconds: 1 };
  }
  return { error: 'server_error', status: 500, message: 'The server failed.' };
}

/** Writes the event's result in the standard's form: JSON, and errors by name. */
function setBody(request: Request, response: Response): void {
  const isBad = response.isError();
  // A listener of the project may refuse without the standard's error names.
  if (isBad && response.getStatus() < 400) response.setStatus(400);
  const usual = response.getStatus() < 500 ? 'invalid_request' : 'server_error';
  const body = isBad
    ? {
        error: response.getHeaders(OAUTH_ERROR) ?? usual,
        error_description: String(response.getMessage() ?? '').replace(PLAIN, "'"),
      }
    : (response.getResults() ?? {});
  // A challenge only for credentials in the header; otherwise it would hide the body from some clients.
  if (response.getStatus() === 401 && request.getHeader('authorization') !== undefined) {
    response.addHeader('www-authenticate', BASIC_CHALLENGE);
  }
  if (isProblem(request, response)) return;
  response
    .removeHeader(OAUTH_ERROR)
    .addHeader('content-type', 'application/json')
    .addHeader('cache-control', 'no-store')
    .addHeader('pragma', 'no-cache')
    .setContent(JSON.stringify(body));
}

async function answer(context: Context, endpoint: Endpoint, request: Request, response: Response): Promise<void> {
  try {
    if (endpoint.isOpenToPages) await markOrigin(context, request, response);
    const given = readGiven(request, endpoint.fields);
    if (isTokenError(given)) refuseToken(response, given);
    else await context.emit(endpoint.event, request.removeStage().setStage(given), response);
  } catch (error) {
    const fault = toTokenError(error);
    if (fault.status === 500) context.services.log.error('oauth-endpoint-failed', { path: endpoint.path, error });
    refuseToken(response, fault);
  }
  setBody(request, response);
}

/** Preflights, and 405 for every other method. */
async function refuseMethod(context: Context, endpoint: Endpoint, request: Request, response: Response): Promise<void> {
  if (request.getMethod() === 'POST') return;
  response.addHeader('allow', 'OPTIONS, POST');
  if (endpoint.isOpenToPages) await markOrigin(context, request, response);
  if (request.getMethod() === 'OPTIONS') {
    response.setStatus(204).setAnswered();
    return;
  }
  refuseToken(response, { ...badRequest('Post a form here.'), status: 405 });
  setBody(request, response);
}

/** The routes of an endpoint. */
function toEndpoint(endpoint: Endpoint): RouteContribution[] {
  const shared = { path: endpoint.path, kind: 'api', isOAuth: true, bodyBytes: 65_536 } as const;
  return [
    {
      ...shared,
      method: 'POST',
      description: endpoint.description,
      listen: (context) => (request, response) => answer(context, endpoint, request, response),
    },
    {
      ...shared,
      method: 'ALL',
      description: 'Answers preflights, and says that it is posted to.',
      listen: (context) => (request, response) => refuseMethod(context, endpoint, request, response),
    },
  ];
}

export const toTokenEndpoint = (path: string): RouteContribution[] =>
  toEndpoint({
    path,
    event: 'oauth-token',
    description: 'Gives tokens for a code, a refresh token or the app itself (RFC 6749).',
    fields: ['grant_type', 'code', 'redirect_uri', 'code_verifier', 'refresh_token', 'scope', REPEATABLE],
    isOpenToPages: true,
  });

export const endpointRoutes: readonly RouteContribution[] = [
  ...toTokenEndpoint('/oauth/token'),
  ...toEndpoint({
    path: '/oauth/revoke',
    event: 'oauth-revoke',
    description: 'Ends a token (RFC 7009).',
    fields: ['token', 'token_type_hint'],
    isOpenToPages: true,
  }),
  ...toEndpoint({
    path: '/oauth/introspect',
    event: 'oauth-introspect',
    description: 'Tells an app about a token of its own (RFC 7662).',
    fields: ['token', 'token_type_hint'],
    isOpenToPages: false,
  }),
];
