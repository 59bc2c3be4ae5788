import { Request } from '../../../core/request/request.ts';
import { Response } from '../../../core/request/response.ts';
import { toLocalText } from '../../../core/text/translate.ts';
import type { Row } from '../../../database/row-statement.ts';
import type { Exchange } from '../../../page/exchange.ts';
import { findFirstCall } from '../../../page/first-call.ts';
import { toCallCurl, toClassicCurl, toStandardCurl } from '../../../page/trial-curl.ts';
import type { Context } from '../../../plan/feature.ts';
import { listAllowedScopes } from '../client/allowed-scopes.ts';
import type { ClientApp } from '../client/app-row.ts';
import {
  createTrial,
  endTrial,
  findTrial,
  isSameState,
  saveTrial,
  type Trial,
  toTrialRequest,
  toTrialUri,
} from '../consent/trial.ts';
import { showApps } from './list.ts';
import { requireApp, showAppPage } from './page.ts';

const CODE = /^[A-Za-z0-9_-]{1,128}$/;

interface TrialContext {
  readonly app: ClientApp;
  readonly trial: Trial | undefined;
}

function show(context: Context, exchange: Exchange, { app }: Pick<TrialContext, 'app'>, data: Row): void {
  const allowed = listAllowedScopes(context.plan.model, app, 'user');
  const scopes = allowed.map((slug) => ({ slug, name: context.plan.model.scopes.get(slug)?.definition.name ?? slug }));
  const shared = { appId: app.appId, isActive: app.isActive, isPublic: app.secretHash === undefined, scopes };
  showAppPage(context, exchange, { app, tab: 'try', name: 'app-try', title: 'Try it', data: { ...shared, ...data } });
}

/** The dialog's response: a code with the requests that exchange it, an error, or an unrelated request. */
function readReturn(context: Context, { request }: Exchange, { app, trial }: TrialContext): Row {
  const [code, error] = [request.getGet('code'), request.getGet('error')];
  if (code === undefined && error === undefined) return { isStart: true };
  if (!trial || !isSameState(trial, request.getGet('state'))) return { isStart: true, isForeign: true };
  if (typeof error === 'string') {
    return { isStart: true, refusal: error, reason: request.getGet('error_description') };
  }
  if (typeof code !== 'string' || !CODE.test(code)) return { isStart: true, isForeign: true };
  const { baseUrl, plan } = { baseUrl: context.services.baseUrl(), plan: context.plan };
  const { verifier, secret } = trial;
  const redirectUri = toTrialUri(baseUrl, app.appId);
  const use = { baseUrl, clientId: app.clientId, secret, code, verifier };
  const isClassic = plan.model.settings.oauth.mode === 'classic';
  return {
    code,
    state: trial.state,
    hasSecret: secret !== undefined,
    curl: toStandardCurl({ ...use, redirectUri }),
    classicCurl: isClassic ? toClassicCurl(use) : undefined,
  };
}

export async function openTry(context: Context, exchange: Exchange): Promise<void> {
  const found = await requireApp(context, exchange, showApps);
  if (!found) return;
  const trial = findTrial(context, exchange.request, found.app.appId);
  show(context, exchange, found, readReturn(context, exchange, { app: found.app, trial }));
}

/** Starts a trial: creates a short-lived secret, then shows the dialog as to any user. */
export async function postTry(context: Context, exchange: Exchange): Promise<void> {
  const found = await requireApp(context, exchange, showApps);
  if (!found) return;
  const { app } = found;
  const made = new Response();
  await context.emit('app-trial', new Request().setStage({ client_id: app.clientId }), made);
  if (made.isError()) {
    exchange.response.setStatus(made.getStatus()).setError(true, String(made.getMessage()));
    return show(context, exchange, { app }, { isStart: true });
  }
  const { client_secret: secret, until } = made.getResults() as { client_secret?: string; until: number };
  const trial = createTrial(context, app.appId, { until, ...(secret === undefined ? {} : { secret }) });
  saveTrial(context, exchange.request, trial);
  const redirectUri = toTrialUri(context.services.baseUrl(), app.appId);
  const scopes = listAllowedScopes(context.plan.model, app, 'user');
  exchange.response.setRedirect(toTrialRequest(trial, { clientId: app.clientId, redirectUri, scopes }));
}

/** Makes a call as the app would: through its own guard, with the token in the header. */
async function callFirst(context: Context, token: string, scopes: readonly string[]): Promise<Row> {
  const call = findFirstCall(context.plan.calls, scopes);
  if (!call) return {};
  const request = new Request({
    method: 'GET',
    path: call.path,
    query: '',
    server: () => ({ HTTP_AUTHORIZATION: `Bearer ${token}` }),
  });
  const response = new Response(request);
  await context.emit(`GET ${call.path}`, request, response);
  const status = response.getStatus();
  const body = response.isError()
    ? { error: true, status, message: response.getMessage() }
    : { error: false, results: response.getResults() };
  return {
    call: {
      title: toLocalText(call.definition.title),
      path: call.path,
      docs: `/developer/docs/calls/${encodeURIComponent(call.name)}`,
    },
    callCurl: toCallCurl('GET', `${context.services.baseUrl()}${call.path}`, token),
    callStatus: status,
    callBody: JSON.stringify(body, null, 2),
  };
}

async function exchangeCode(
  context: Context,
  { app, trial }: Required<TrialContext> & { trial: Trial },
  code: string,
): Promise<Response> {
  const response = new Response();
  const stage = {
    grant_type: 'authorization_code',
    client_id: app.clientId,
    ...(trial.secret === undefined ? {} : { client_secret: trial.secret }),
    code,
    code_verifier: trial.verifier,
    redirect_uri: toTrialUri(context.services.baseUrl(), app.appId),
  };
  await context.emit('oauth-token', new Request().setStage(stage), response);
  return response;
}

/** Exchanges the code with the token endpoint's own event, and makes the first call. */
export async function postExchange(context: Context, exchange: Exchange): Promise<void> {
  const found = await requireApp(context, exchange, showApps);
  if (!found) return;
  const { app } = found;
  const trial = findTrial(context, exchange.request, app.appId);
  const code = exchange.request.getPost('code');
  if (!trial || typeof code !== 'string' || !CODE.test(code))
    return show(context, exchange, { app }, { isStart: true, isForeign: true });
  const answer = await exchangeCode(context, { app, trial }, code);
  endTrial(exchange.request);
  if (answer.isError()) {
    exchange.response.setStatus(answer.getStatus()).setError(true, String(answer.getMessage()));
    return show(context, exchange, { app }, { isStart: true, isUsed: true });
  }
  const tokens = answer.getResults() as Row;
  const scopes = String(tokens.scope ?? '')
    .split(' ')
    .filter((slug) => slug !== '');
  const token = String(tokens.access_token);
  const data = {
    tokens: JSON.stringify(tokens, null, 2),
    minutes: Math.round(Number(tokens.expires_in) / 60),
    ...(await callFirst(context, token, scopes)),
  };
  show(context, exchange, { app }, data);
}
