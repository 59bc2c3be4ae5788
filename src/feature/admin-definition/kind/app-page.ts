import { requireProof } from '../../../access/proof.ts';
import { secondsToStamp, toStamp } from '../../../core/clock.ts';
import type { Response } from '../../../core/request/response.ts';
import { toLocalText, translate } from '../../../core/text/translate.ts';
import type { Row } from '../../../database/row-statement.ts';
import type { App } from '../../../model/shape.ts';
import { emitOr404 } from '../../../page/emit-event.ts';
import { type Exchange, flash } from '../../../page/exchange.ts';
import type { Context } from '../../../plan/feature.ts';
import { describeState, findAppRows, toTexts } from './app-list.ts';
import type { FormFacts } from './control.ts';
import { findNamed, readFacts, showKind, toPath } from './page.ts';
import { toText } from './read-form.ts';
import { readSourceView } from './source-view.ts';

const DAY = 86_400;

/** An app of a file, one registered in the browser, or both: the row of a file. */
export interface FoundApp {
  /** Name of its file, or its client id. */
  readonly id: string;
  readonly file: { readonly name: string; readonly value: App } | undefined;
  readonly row: Row | undefined;
}

/** The app that a path names by file or client id; undefined after a page that says that there is none. */
export async function findApp(context: Context, exchange: Exchange, facts: FormFacts): Promise<FoundApp | undefined> {
  const id = exchange.request.getParameters('id') ?? '';
  const files = facts.definitions.app;
  const name = files.has(id) ? id : [...files].find(([, { value }]) => value.clientId === id)?.[0];
  const value = name === undefined ? undefined : files.get(name)?.value;
  const [row] = await findAppRows(context, { client_id: value?.clientId ?? id });
  if (name !== undefined && value !== undefined) return { id: name, file: { name, value }, row };
  if (row !== undefined) return { id, file: undefined, row };
  findNamed(context, exchange, facts, 'app');
  return undefined;
}

/** Scopes and hooks of an app with the state of their approval. */
function listGrants({ plan }: FormFacts, { row, file }: FoundApp): Row {
  const isFile = file !== undefined;
  const [pending, pendingHooks] = [toTexts(row?.pending), toTexts(row?.pending_hooks)];
  const scopes = file?.value.scopes ?? toTexts(row?.scopes);
  const hooks = file?.value.hooks ?? toTexts(row?.hooks);
  return {
    scopes: scopes.map((name) => ({
      name,
      label: toLocalText(plan.model.scopes.get(name)?.definition.name ?? ''),
      href: toPath('scope', 'detail', name),
      isWaiting: pending.includes(name),
      isApproved: toTexts(row?.approved).includes(name) && !isFile,
    })),
    hooks: hooks.map((name) => ({
      name,
      label: toLocalText(plan.hooks.find((hook) => hook.name === name)?.definition.title ?? ''),
      href: toPath('webhook', 'detail', name),
      isWaiting: pendingHooks.includes(name),
      isApproved: toTexts(row?.approved_hooks).includes(name) && !isFile,
    })),
    isWaiting: pending.length + pendingHooks.length > 0,
  };
}

/** The requests of the last 30 days, by day. */
async function findTraffic(context: Context, appId: unknown): Promise<Row> {
  const found = (await emitOr404(context, 'app-traffic', { app_id: appId, any: true })).getResults('rows');
  const rows = Array.isArray(found) ? (found as Row[]) : [];
  const days = new Map<string, { succeeded: number; refused: number; failed: number }>();
  for (const row of rows) {
    const day = toStamp(Math.floor(Number(row.hour) / DAY) * DAY * 1000).slice(0, 10);
    const sum = days.get(day) ?? { succeeded: 0, refused: 0, failed: 0 };
    days.set(day, {
      succeeded: sum.succeeded + Number(row.succeeded),
      refused: sum.refused + Number(row.refused),
      failed: sum.failed + Number(row.failed),
    });
  }
  const traffic = [...days].sort(([a], [b]) => (a < b ? 1 : -1)).map(([day, sum]) => ({ day, ...sum }));
  return { traffic, requests: traffic.reduce((sum, each) => sum + each.succeeded + each.refused + each.failed, 0) };
}

async function findSessions(context: Context, exchange: Exchange, appId: unknown): Promise<Row> {
  const before = exchange.request.getGet('before');
  const found = await emitOr404(context, 'app-session-search', { app_id: appId, any: true, before });
  const rows = found.getResults('rows');
  return {
    sessions: (Array.isArray(rows) ? (rows as Row[]) : []).map((row) => ({
      id: row.grant_id,
      name: row.profile_name,
      scopes: row.scopes,
      created: secondsToStamp(row.created_at),
      used: secondsToStamp(row.used_at),
      ends: secondsToStamp(row.expires_at),
    })),
    sessionTotal: found.getResults('total'),
    next: found.getResults('next'),
  };
}

/** Shows an app: its state, approvals, sessions and requests. @param more Such as a secret that is shown once. */
export async function showApp(context: Context, exchange: Exchange, more: Row = {}): Promise<void> {
  const facts = await readFacts(context);
  const app = await findApp(context, exchange, facts);
  if (app === undefined) return;
  const { id, file, row } = app;
  const appId = row?.app_id;
  showKind(context, exchange, {
    kind: 'app',
    name: 'app-detail',
    title: file?.value.title ?? String(row?.title),
    ...(file === undefined ? {} : { actions: 'detail-actions' }),
    data: {
      ...(file === undefined
        ? { references: [] }
        : await readSourceView(context, exchange, facts, { kind: 'app', name: file.name })),
      ...listGrants(facts, app),
      id,
      isFile: file !== undefined,
      clientId: file?.value.clientId ?? row?.client_id,
      website: file?.value.website ?? row?.website,
      redirectUris: file?.value.redirectUris ?? toTexts(row?.redirect_uris),
      webhook: file?.value.webhook ?? row?.webhook,
      isPublic: file === undefined ? row?.public === 1 : file.value.secretHash === undefined,
      isActive: row?.active === 1,
      isRow: row !== undefined,
      isRemovedFile: file === undefined && row?.name !== null,
      state: describeState(row),
      ...(appId === undefined ? {} : await findTraffic(context, appId)),
      ...(appId === undefined ? {} : await findSessions(context, exchange, appId)),
      ...more,
    },
  });
}

/** Leads to the app's page with a message; after an error, shows it there. */
async function finish(context: Context, exchange: Exchange, answer: Response, text: string): Promise<void> {
  if (!answer.isError()) {
    flash(exchange, text);
    exchange.response.setRedirect(toPath('app', 'detail', exchange.request.getParameters('id') ?? ''));
    return;
  }
  exchange.response.setStatus(answer.getStatus()).setError(true, String(answer.getMessage()));
  await showApp(context, exchange);
}

/** Runs an event on the app of the path, as an operator. */
async function act(context: Context, exchange: Exchange, event: string, stage: Row): Promise<Response | undefined> {
  const app = await findApp(context, exchange, await readFacts(context));
  if (app === undefined) return undefined;
  const { row, file } = app;
  return emitOr404(context, event, { client_id: file?.value.clientId ?? row?.client_id, ...stage });
}

/** Suspends or resumes an app that was registered in the browser. */
export const postActive =
  (isActive: boolean) =>
  async (context: Context, exchange: Exchange): Promise<void> => {
    const answer = await act(context, exchange, isActive ? 'app-restore' : 'app-suspend', {});
    const text = isActive ? translate('The app is active again.') : translate('The app is suspended.');
    if (answer) await finish(context, exchange, answer, text);
  };

const listTicked = (value: unknown): string[] =>
  (typeof value === 'object' && value !== null ? Object.values(value) : [value])
    .map(String)
    .filter((text) => text !== 'undefined');

/** Approves the ticked scopes and web hooks, or withdraws their approval. */
export async function postApproval(context: Context, exchange: Exchange): Promise<void> {
  const { request } = exchange;
  const scopes = listTicked(request.getPost('scopes') ?? request.getPost('scopes[]'));
  const hooks = listTicked(request.getPost('hooks') ?? request.getPost('hooks[]'));
  const isTakingBack = toText(request.getPost('action')) === 'revoke';
  if (scopes.length + hooks.length === 0) {
    exchange.response.setStatus(422).setError(true, translate('Tick the scopes and web hooks first.'));
    return showApp(context, exchange);
  }
  if (!requireProof(context, exchange, toPath('app', 'detail', exchange.request.getParameters('id') ?? ''))) return;
  const answer = await act(context, exchange, 'app-approve', {
    scopes,
    hooks,
    ...(isTakingBack ? { revoke: '1' } : {}),
  });
  const text = isTakingBack ? translate('The approval is withdrawn.') : translate('Approved.');
  if (answer) await finish(context, exchange, answer, text);
}

/** Ends one session of the app, or all. */
export async function postSession(context: Context, exchange: Exchange): Promise<void> {
  const app = await findApp(context, exchange, await readFacts(context));
  if (app === undefined) return;
  const grant = toText(exchange.request.getPost('grant_id'));
  const stage = { app_id: app.row?.app_id, any: true, grant_id: grant };
  const text = grant === '' ? translate('Every session is ended.') : translate('The session is ended.');
  await finish(context, exchange, await emitOr404(context, 'app-session-remove', stage), text);
}

/** Removes an app that was registered in the browser, with its consents and tokens. */
export async function postRemoveRow(context: Context, exchange: Exchange): Promise<void> {
  if (toText(exchange.request.getPost('sure')) !== '1') {
    exchange.response.setStatus(422).setError(true, translate('Confirm that its consents and tokens are deleted.'));
    return showApp(context, exchange);
  }
  if (!requireProof(context, exchange, toPath('app', 'detail', exchange.request.getParameters('id') ?? ''))) return;
  const answer = await act(context, exchange, 'app-remove', {});
  if (answer === undefined) return;
  if (answer.isError()) return finish(context, exchange, answer, '');
  flash(exchange, translate('The app is removed; its tokens no longer work.'));
  exchange.response.setRedirect(toPath('app', 'search'));
}

/** Gives an app that was registered in the browser a new client secret, and shows it once. */
export async function refreshRow(context: Context, exchange: Exchange, app: FoundApp): Promise<void> {
  if (!requireProof(context, exchange, toPath('app', 'detail', app.id))) return;
  const isAtOnce = toText(exchange.request.getPost('at_once')) === '1';
  const stage = { app_id: app.row?.app_id, any: true, ...(isAtOnce ? { at_once: '1' } : {}) };
  const answer = await emitOr404(context, 'app-refresh', stage);
  if (answer.isError()) return finish(context, exchange, answer, '');
  await showApp(context, exchange, {
    clientSecret: answer.getResults('client_secret'),
    isOldGood: Number(answer.getResults('old_until')) > 0,
  });
}

/** Gives the web hooks of an app that was registered in the browser new signing secrets. */
export async function rotateRow(context: Context, exchange: Exchange): Promise<void> {
  if (!requireProof(context, exchange, toPath('app', 'detail', exchange.request.getParameters('id') ?? ''))) return;
  const answer = await act(context, exchange, 'webhook-secret-rotate', {});
  const text = translate('The web hooks of the app have new secrets. For 24 hours both sign.');
  if (answer) await finish(context, exchange, answer, text);
}
