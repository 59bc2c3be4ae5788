import type { Request } from '../../../core/request/request.ts';
import type { Response } from '../../../core/request/response.ts';
import { readBasic } from '../../../core/secret/basic-credentials.ts';
import type { Context, RouteContribution } from '../../../plan/feature.ts';
import { BASIC_CHALLENGE, badRequest, isProblem, refuseToken, type TokenError } from '../errors.ts';

const PATH = '/rest/access';
const FIELDS = ['client_id', 'client_secret', 'code', 'redirect_uri', 'code_verifier', 'grant_type'] as const;
const BODY_TYPE = /^(application\/x-www-form-urlencoded|application\/([a-z.-]+\+)?json)\b/i;

type Field = (typeof FIELDS)[number];
type TokenFields = Partial<Record<Field, string>>;

/** The fields of a source; undefined if one is repeated or is not text. An empty one counts as missing. */
function readPlace(read: (name: Field) => readonly unknown[]): TokenFields | undefined {
  const given: TokenFields = {};
  for (const field of FIELDS) {
    const values = read(field).filter((value) => value !== undefined && value !== null && value !== '');
    if (values.length > 1 || values.some((value) => typeof value !== 'string')) return undefined;
    if (typeof values[0] === 'string') given[field] = values[0];
  }
  return given;
}

const hasCredentials = (given: TokenFields): boolean =>
  given.client_id !== undefined || given.client_secret !== undefined;

/** Reads the exchange's fields from query, body and Basic; credentials from only one of them. */
function readGiven(request: Request, mode: string): TokenFields | TokenError {
  const search = new URLSearchParams(request.getQuery());
  const query = readPlace((name) => search.getAll(name));
  const body = readPlace((name) => [request.getPost(name)]);
  const basic = readBasic(request);
  if (!query || !body) return badRequest('A parameter is there twice, or is not text.');
  if (request.hasContent() && !BODY_TYPE.test(request.getHeader('content-type') ?? '')) {
    return badRequest('The body must be a form or JSON.');
  }
  if (FIELDS.some((name) => query[name] !== undefined && body[name] !== undefined)) {
    return badRequest('A parameter is both in the query and in the body.');
  }
  if (hasCredentials(query) && hasCredentials(body)) {
    return badRequest("The app's credentials must be in one place: the query, the body or the Authorization header.");
  }
  const other: TokenFields = { ...query, ...body };
  if (basic && (other.client_secret !== undefined || (other.client_id ?? basic.client_id) !== basic.client_id)) {
    return badRequest("The app's credentials are in the Authorization header and somewhere else.");
  }
  if (mode !== 'classic' && query.client_secret !== undefined) {
    return badRequest('A client secret is not taken from the query.');
  }
  return { ...other, ...basic };
}

function isErrorResult(given: TokenFields | TokenError): given is TokenError {
  return 'error' in given;
}

/** The whole body as text: the classic form has exactly these members. */
function setBody(request: Request, response: Response, isStandard: boolean): void {
  if (isProblem(request, response)) return;
  const results = response.getResults() as { readonly access_token: string } | undefined;
  const standard = { access_token: results?.access_token, token_type: 'Bearer', ...(response.get('token') as object) };
  const body = response.isError()
    ? { error: true, message: response.getMessage(), validation: response.getValidation() }
    : { ...(isStandard ? standard : {}), error: false, results };
  response
    .addHeader('content-type', 'application/json; charset=utf-8')
    .addHeader('cache-control', 'no-store')
    .addHeader('pragma', 'no-cache')
    .setContent(JSON.stringify(body));
}

async function postAccess(context: Context, request: Request, response: Response): Promise<void> {
  const given = readGiven(request, context.plan.model.settings.oauth.mode);
  const isBasic = readBasic(request) !== undefined;
  if (isErrorResult(given)) refuseToken(response, given);
  else if (given.grant_type !== undefined && given.grant_type !== 'authorization_code') {
    refuseToken(response, {
      error: 'unsupported_grant_type',
      status: 400,
      message: 'grant_type must be authorization_code here; /oauth/token takes the others.',
    });
  } else {
    const { grant_type: _, ...stage } = given;
    request.removeStage().setStage(stage);
    await context.emit('rest-access', request, response);
  }
  if (response.getStatus() === 401 && isBasic) response.addHeader('www-authenticate', BASIC_CHALLENGE);
  setBody(request, response, !isErrorResult(given) && given.grant_type !== undefined);
}

function refuseMethod(request: Request, response: Response): void {
  response.addHeader('allow', 'POST');
  response.refuse({ status: 405, message: 'POST the code here.', code: 'METHOD_NOT_ALLOWED' });
  setBody(request, response, false);
}

export const tokenRoutes: readonly RouteContribution[] = [
  {
    method: 'POST',
    path: PATH,
    description: 'Exchanges a code for an access token.',
    kind: 'api',
    isOAuth: true,
    bodyBytes: 65_536,
    listen: (context) => (request, response) => postAccess(context, request, response),
  },
  ...(['GET', 'PUT', 'PATCH', 'DELETE'] as const).map(
    (method): RouteContribution => ({
      method,
      path: PATH,
      description: 'Says that the exchange is a POST.',
      kind: 'api',
      isOAuth: true,
      listen: () => refuseMethod,
    }),
  ),
];
