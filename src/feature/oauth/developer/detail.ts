import { secondsToStamp, toSeconds, toStamp } from '../../../core/clock.ts';
import { Request } from '../../../core/request/request.ts';
import { Response } from '../../../core/request/response.ts';
import { translate } from '../../../core/text/translate.ts';
import type { Row } from '../../../database/row-statement.ts';
import { type AnswerCounts, type BarChart, toBar, toBarChart } from '../../../page/bar-chart.ts';
import { type Exchange, flash } from '../../../page/exchange.ts';
import type { Context } from '../../../plan/feature.ts';
import type { ClientApp } from '../client/app-row.ts';
import { listChoices } from './form.ts';
import { showApps } from './list.ts';
import { nameApp, requireApp, showAppPage } from './page.ts';
import { describeSandbox } from './sandbox.ts';

/** Counts of an hour, as the event `app-traffic` has them. */
interface HourCount extends AnswerCounts {
  readonly hour: number;
}

const HOUR = 3600;
const DAY = 86_400;
function divide(counts: readonly HourCount[], now: number, steps: number, seconds: number, cut: [number, number]) {
  const end = now - (now % seconds) + seconds;
  const bars = Array.from({ length: steps }, (_, index) => {
    const from = end - (steps - index) * seconds;
    const within = counts.filter(({ hour }) => hour >= from && hour < from + seconds);
    return toBar(toStamp(from * 1000).slice(...cut), within);
  });
  return toBarChart(bars);
}

/** The last 24 hours, UTC; the current hour is last. */
const toDayFigures = (counts: readonly HourCount[], now: number): BarChart => divide(counts, now, 24, HOUR, [11, 16]);

/** The last 30 days, UTC; today is last. */
const toMonthFigures = (counts: readonly HourCount[], now: number): BarChart => divide(counts, now, 30, DAY, [0, 10]);

/** Results of an event about the user's own app. */
async function ask(context: Context, event: string, stage: Row): Promise<Row> {
  const response = new Response();
  await context.emit(event, new Request().setStage(stage), response);
  const results = response.getResults();
  return typeof results === 'object' && results !== null ? (results as Row) : {};
}

function listEndpoints(context: Context): Row[] {
  const base = context.services.baseUrl();
  const isClassic = context.plan.model.settings.oauth.mode !== 'strict';
  return [
    { label: translate('Authorize'), url: `${base}/oauth/authorize` },
    { label: translate('Token'), url: `${base}/oauth/token` },
    { label: translate('Discovery'), url: `${base}/.well-known/oauth-authorization-server` },
    ...(isClassic
      ? [
          { label: translate('Classic dialog'), url: `${base}/dialog/request` },
          { label: translate('Classic exchange'), url: `${base}/rest/access` },
        ]
      : []),
  ];
}

/** State of an app's secrets; they are never shown again. */
function describeSecrets({ services }: Context, app: ClientApp): Row {
  const isOldGood = app.oldSecretHash !== undefined && app.oldSecretUntil > toSeconds(services.clock.now());
  return isOldGood ? { oldUntil: secondsToStamp(app.oldSecretUntil) } : {};
}

export async function showDetail(context: Context, exchange: Exchange): Promise<void> {
  const found = await requireApp(context, exchange, showApps);
  if (!found) return;
  const { app, owner } = found;
  const { rows } = await ask(context, 'app-traffic', { owner, app_id: app.appId });
  const counts = Array.isArray(rows) ? (rows as HourCount[]) : [];
  const now = toSeconds(context.services.clock.now());
  const isMonth = exchange.request.getGet('days') === '30';
  const { scopes, hooks } = listChoices(context, { scopes: app.scopes }, app) as { scopes: Row[]; hooks: Row[] };
  const data = {
    app: { ...app, created: secondsToStamp(app.createdAt) },
    endpoints: listEndpoints(context),
    ...describeSecrets(context, app),
    scopes: scopes.filter(({ isTicked }) => isTicked === true),
    hasPending: scopes.some(({ isWaiting }) => isWaiting === true),
    // Includes hooks that are no longer defined but still listed.
    hooks: app.hooks.map((name) => ({ ...hooks.find((hook) => hook.name === name), name })),
    hasPendingHooks: hooks.some(({ isWaiting }) => isWaiting === true),
    figures: isMonth ? toMonthFigures(counts, now) : toDayFigures(counts, now),
    isMonth,
    sandbox: describeSandbox(context, app),
  };
  showAppPage(context, exchange, { app, tab: 'detail', name: 'app-detail', title: 'Overview', data });
}

/** The last requests of an app: what it called, and what it got. */
export async function showRequests(context: Context, exchange: Exchange): Promise<void> {
  const found = await requireApp(context, exchange, showApps);
  if (!found) return;
  const { app, owner } = found;
  const { rows } = await ask(context, 'app-request-search', { owner, app_id: app.appId });
  const requests = (Array.isArray(rows) ? (rows as Row[]) : []).map((row) => ({
    ...row,
    at: toStamp(Number(row.at)),
    tone: Number(row.status) < 400 ? 'success' : Number(row.status) < 500 ? 'warning' : 'danger',
  }));
  const title = translate('Requests');
  showAppPage(context, exchange, { app, tab: 'request', name: 'app-request', title, data: { requests } });
}

function describeSession({ plan }: Context, row: Row): Row {
  const scopes = Array.isArray(row.scopes) ? row.scopes.map(String) : [];
  return {
    ...row,
    scopes: scopes.map((slug) => ({ slug, name: plan.model.scopes.get(slug)?.definition.name ?? slug })),
    created: secondsToStamp(row.created_at),
    used: secondsToStamp(row.used_at),
    ends: secondsToStamp(row.expires_at)?.slice(0, 16),
  };
}

async function showSessionsOf(context: Context, exchange: Exchange, app: ClientApp, owner: number): Promise<void> {
  const before = exchange.request.getGet('before');
  const results = await ask(context, 'app-session-search', { owner, app_id: app.appId, before });
  const rows = Array.isArray(results.rows) ? results.rows : [];
  const data = {
    sessions: rows.map((row: Row) => describeSession(context, row)),
    total: results.total,
    next: results.next,
    isLater: before !== undefined,
  };
  showAppPage(context, exchange, { app, tab: 'session', name: 'app-session', title: 'Sessions', data });
}

export async function showSessions(context: Context, exchange: Exchange): Promise<void> {
  const found = await requireApp(context, exchange, showApps);
  if (found) await showSessionsOf(context, exchange, found.app, found.owner);
}

export async function postSession(context: Context, exchange: Exchange): Promise<void> {
  const found = await requireApp(context, exchange, showApps);
  if (!found) return;
  const { app, owner } = found;
  const isAll = exchange.request.getPost('all') === '1';
  const grantId = String(exchange.request.getPost('grant_id') ?? '');
  nameApp(exchange, owner, isAll ? {} : { grant_id: grantId });
  await context.emit('app-session-remove', exchange.request, exchange.response);
  if (exchange.response.isError()) return showSessionsOf(context, exchange, app, owner);
  flash(exchange, isAll ? 'Every session is ended.' : 'The session is ended.');
  exchange.response.removeResults().setRedirect(`/developer/app/session/${app.appId}`);
}
