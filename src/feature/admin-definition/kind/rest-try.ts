import { Request } from '../../../core/request/request.ts';
import { Response } from '../../../core/request/response.ts';
import { parsePairs } from '../../../core/text/pairs.ts';
import { translate } from '../../../core/text/translate.ts';
import type { Row } from '../../../database/row-statement.ts';
import { emitOr404 } from '../../../page/emit-event.ts';
import type { Exchange } from '../../../page/exchange.ts';
import { toRequestCurl } from '../../../page/trial-curl.ts';
import type { CallPlan, Context } from '../../../plan/feature.ts';
import { findAppRows } from './app-list.ts';
import { type FormValues, toText } from './read-form.ts';

/** A call as the form of the try-out means it. */
interface TrialCall {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly body: string | undefined;
  /** Client id of the app that it is made by or for. */
  readonly app: string;
  readonly secret: string;
}

/** The outcome of a trial for its template, or why it could not be made. */
type TrialOutcome = { readonly answer: Row } | { readonly fault: string };

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

function chooseMethod({ definition: { method } }: CallPlan, wanted: string): string {
  if (method !== 'all') return method.toUpperCase();
  return METHODS.find((each) => each === wanted) ?? 'GET';
}

function readTrial(call: CallPlan, posted: FormValues): TrialCall {
  const values = (typeof posted.path === 'object' && posted.path !== null ? posted.path : {}) as FormValues;
  const method = chooseMethod(call, toText(posted.method));
  const body = toText(posted.body).trim();
  return {
    method,
    path: call.parameters.reduce(
      (path, name) => path.replace(`:${name}`, encodeURIComponent(toText(values[name]))),
      call.path,
    ),
    query: toText(posted.query).trim().replace(/^\?/, ''),
    body: WITH_BODY.has(method) ? body || '{}' : undefined,
    app: toText(posted.app),
    secret: toText(posted.secret),
  };
}

/** An access token of the person who tries, for ten minutes. */
async function makeToken(context: Context, { request }: Exchange, app: string): Promise<Response> {
  return emitOr404(context, 'app-trial-token', { client_id: app, auth_id: request.getSession('me', 'auth_id') });
}

const BASIC = (id: string, secret: string): string =>
  `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`;

/** Headers that identify the caller, and those that a page may show. */
async function findHeaders(
  context: Context,
  exchange: Exchange,
  call: CallPlan,
  { app, secret }: TrialCall,
): Promise<{ sent: Record<string, string>; shown: Record<string, string>; query: string } | { fault: string }> {
  const { access } = call.definition;
  if (access === 'public') return { sent: {}, shown: {}, query: '' };
  if (app === '') return { fault: translate('Choose the app that makes the call.') };
  if (access === 'app') {
    if (secret === '') return { sent: {}, shown: {}, query: `client_id=${encodeURIComponent(app)}` };
    const shown = { authorization: BASIC(app, 'CLIENT_SECRET') };
    return { sent: { authorization: BASIC(app, secret) }, shown, query: '' };
  }
  const made = await makeToken(context, exchange, app);
  if (made.isError()) return { fault: String(made.getMessage()) };
  const authorization = `Bearer ${String(made.getResults('access_token'))}`;
  return { sent: { authorization }, shown: { authorization }, query: '' };
}

function toSource({ method, path, body }: TrialCall, query: string, headers: Readonly<Record<string, string>>) {
  const all: Record<string, string> = {
    ...headers,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  const server: Row = Object.fromEntries(Object.entries(all).map(([name, value]) => [toServerName(name), value]));
  const source = {
    method,
    path,
    query,
    server: () => server,
    headers: all,
    ...(query === '' ? {} : { get: () => parsePairs(query) }),
  };
  if (body === undefined) return source;
  const parsed = JSON.parse(body) as Row;
  return { ...source, post: () => parsed, body: () => body };
}

const toServerName = (name: string): string =>
  name === 'content-type' ? 'CONTENT_TYPE' : `HTTP_${name.toUpperCase().replaceAll('-', '_')}`;

/** Why a body cannot be sent; undefined if it can. */
function findBodyError(body: string | undefined): string | undefined {
  if (body === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(body);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return undefined;
  } catch {}
  return translate('The body is not a JSON object.');
}

function toAnswer(response: Response): Row {
  const status = response.getStatus();
  const body = response.isError()
    ? { error: true, status, message: response.getMessage(), ...toValidation(response) }
    : { error: false, results: response.getResults() };
  return { status, isGood: status < 400, body: JSON.stringify(body, null, 2) };
}

const toValidation = (response: Response): Row =>
  response.hasValidation() ? { validation: response.getValidation() } : {};

/** Makes a call as its caller would: through its own guard, with the caller's credentials. */
export async function tryCall(context: Context, exchange: Exchange, call: CallPlan): Promise<TrialOutcome> {
  const trial = readTrial(call, exchange.request.getPost() as FormValues);
  const bodyFault = findBodyError(trial.body);
  if (bodyFault !== undefined) return { fault: bodyFault };
  const found = await findHeaders(context, exchange, call, trial);
  if ('fault' in found) return found;
  const query = [trial.query, found.query].filter(Boolean).join('&');
  const request = new Request(toSource(trial, query, found.sent));
  const response = new Response(request);
  const started = context.services.clock.now();
  await context.emit(`${trial.method} ${trial.path}`, request, response);
  const url = `${context.services.baseUrl()}${trial.path}${query === '' ? '' : `?${query}`}`;
  const headers = { ...found.shown, ...(trial.body === undefined ? {} : { 'content-type': 'application/json' }) };
  const curl = toRequestCurl({ method: trial.method, url, headers, body: trial.body });
  return {
    answer: {
      ...toAnswer(response),
      curl,
      request: `${trial.method} ${trial.path}${query === '' ? '' : `?${query}`}`,
      milliseconds: Math.round(context.services.clock.now() - started),
      isToken: call.definition.access === 'user',
    },
  };
}

/** The form of the try-out. */
export async function createTryForm(context: Context, exchange: Exchange, call: CallPlan): Promise<Row> {
  const { access, method } = call.definition;
  const posted = exchange.request.getPost() as FormValues;
  const values = (typeof posted.path === 'object' && posted.path !== null ? posted.path : {}) as FormValues;
  const rows = access === 'public' ? [] : await findAppRows(context);
  const isAny = method === 'all';
  const holds = ({ scopes }: Row): boolean =>
    call.scopes.length === 0 || (Array.isArray(scopes) && call.scopes.some((slug) => scopes.includes(slug)));
  return {
    isPublic: access === 'public',
    isApp: access === 'app',
    isUser: access === 'user',
    path: call.parameters.map((name) => ({ name, value: toText(values[name]) })),
    methods: isAny ? METHODS.map((each) => ({ value: each, isTicked: each === toText(posted.method) })) : [],
    hasBody: isAny || WITH_BODY.has(method.toUpperCase()),
    body: toText(posted.body) || '{}',
    query: toText(posted.query),
    apps: rows
      .filter(({ active }) => active === 1)
      .map((row) => ({
        value: row.client_id,
        label: row.title,
        isHolding: holds(row),
        isTicked: row.client_id === toText(posted.app),
      })),
    me: exchange.request.getSession('me', 'profile_name'),
  };
}
