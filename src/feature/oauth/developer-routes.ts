import { digest } from '../../core/secret.ts';
import type { Row } from '../../database/database.ts';
import type { Context, RouteContribution } from '../../plan/feature.ts';
import type { ClientApp } from './app-row.ts';
import { requireMe, showDeveloperPage } from './developer-page.ts';
import type { Pair } from './dialog-routes.ts';
import { findPending } from './held-scopes.ts';
import { findOwnedApp } from './owned-app.ts';
import { findOwnApps, findOwnCode } from './sql.ts';

const SEARCH = '/developer/app/search';
const FIELDS = [
  'title',
  'website',
  'redirect_uris',
  'scopes',
  'webhook',
  'hooks',
  'public',
  'pkce_optional',
  'at_once',
] as const;
const CODE = /^[A-Za-z0-9_-]{1,128}$/;

/** The dialog of this app; where it has several addresses, the first is named. */
function toTry(app: ClientApp): string {
  const [first, second] = app.redirectUris;
  const named = first !== undefined && second !== undefined ? `&redirect_uri=${encodeURIComponent(first)}` : '';
  return `/dialog/request?client_id=${encodeURIComponent(app.clientId)}${named}`;
}

/** What the dialog sent back to this page, with the request that goes on from there. */
async function findReturned(context: Context, { request }: Pair, authId: number): Promise<Row> {
  const code = request.getGet('code');
  if (request.getGet('error') === 'access_denied') return { isDenied: true };
  if (typeof code !== 'string' || !CODE.test(code)) return {};
  const clientId = (await findOwnCode(context.services.database, digest(code), authId)) ?? 'CLIENT_ID';
  const query = `client_id=${clientId}&client_secret=CLIENT_SECRET&code=${code}`;
  return { code, curl: `curl -X POST '${context.services.baseUrl()}/rest/access?${query}'` };
}

async function showApps(context: Context, pair: Pair): Promise<void> {
  const authId = requireMe(pair);
  if (authId === undefined) return;
  const apps = await findOwnApps(context.services.database, authId);
  const returned = await findReturned(context, pair, authId);
  const rows = apps.map((app) => ({
    ...app,
    isFile: app.name !== undefined,
    isPublic: app.secretHash === undefined,
    pending: findPending(context, app),
    tryHref: app.secretHash === undefined ? undefined : toTry(app),
  }));
  showDeveloperPage(context, pair, { name: 'app-search', title: 'Your apps', data: { ...returned, apps: rows } });
}

function toChoices(context: Context, form: Row): Row {
  const ticked = (value: unknown): readonly unknown[] =>
    typeof value === 'object' && value !== null ? Object.values(value) : [value];
  const { model, hooks } = context.plan;
  return {
    scopes: [...model.scopes.values()].map(({ slug, definition }) => ({
      slug,
      name: definition.name,
      description: definition.description,
      isForApp: definition.access === 'app',
      isApproved: definition.approval === true,
      isTicked: ticked(form.scopes).includes(slug),
    })),
    hooks: hooks.map(({ name, definition }) => ({
      name,
      title: definition.title,
      description: definition.description,
      isTicked: ticked(form.hooks).includes(name),
    })),
  };
}

function showForm(context: Context, pair: Pair, form: Row, app?: ClientApp): void {
  const title = app ? 'Change an app' : 'New app';
  const action = app ? `/developer/app/update/${app.appId}` : '/developer/app/create';
  const isPublic = app ? app.secretHash === undefined : form.public === '1';
  const data = { title, action, form, isNew: app === undefined, isPublic, ...toChoices(context, form) };
  showDeveloperPage(context, pair, { name: 'app-create', title, data });
}

/** The posted fields become the stage, and nothing else does: whose app it is comes from the session. */
function fillStage({ request }: Pair, owner: number): Row {
  const appId = request.getParameters('app_id');
  const form: Row = {};
  for (const field of FIELDS) form[field] = request.getPost(field) ?? request.getPost(`${field}[]`);
  request.removeStage().setStage({ ...form, owner, ...(appId === undefined ? {} : { app_id: appId }) });
  return form;
}

function showSecret(context: Context, pair: Pair, title: string): void {
  const results = pair.response.getResults() as Row;
  pair.response.removeResults();
  showDeveloperPage(context, pair, { name: 'app-secret', title, data: { ...results, title } });
}

async function openCreate(context: Context, pair: Pair): Promise<void> {
  if (requireMe(pair) !== undefined) showForm(context, pair, {});
}

async function postCreate(context: Context, pair: Pair): Promise<void> {
  const owner = requireMe(pair);
  if (owner === undefined) return;
  const form = fillStage(pair, owner);
  await context.emit('app-create', pair.request, pair.response);
  if (pair.response.isError()) showForm(context, pair, form);
  else showSecret(context, pair, 'Your app is registered');
}

/** Runs a step on one's own app; the list says what went wrong. */
async function change(
  context: Context,
  pair: Pair,
  step: (owner: number, app: ClientApp) => Promise<void>,
): Promise<void> {
  const owner = requireMe(pair);
  if (owner === undefined) return;
  const app = await findOwnedApp(
    context,
    pair.request.setStage({ owner, app_id: pair.request.getParameters('app_id') }),
    pair.response,
  );
  if (app) await step(owner, app);
  else await showApps(context, pair);
}

async function postUpdate(context: Context, pair: Pair, owner: number, app: ClientApp): Promise<void> {
  const form = fillStage(pair, owner);
  await context.emit('app-update', pair.request, pair.response);
  if (pair.response.isError()) return showForm(context, pair, form, app);
  const warning = pair.response.getResults('warning');
  pair.request.setSession('flash', {
    message: typeof warning === 'string' ? `Saved. ${warning}` : 'Saved.',
    type: typeof warning === 'string' ? 'warning' : 'success',
  });
  pair.response.removeResults().setRedirect(SEARCH);
}

async function postRefresh(context: Context, pair: Pair, owner: number): Promise<void> {
  fillStage(pair, owner);
  await context.emit('app-refresh', pair.request, pair.response);
  if (pair.response.isError()) await showApps(context, pair);
  else showSecret(context, pair, 'A new client secret');
}

async function postRemove(context: Context, pair: Pair, owner: number): Promise<void> {
  fillStage(pair, owner);
  await context.emit('app-remove', pair.request, pair.response);
  if (pair.response.isError()) return showApps(context, pair);
  pair.request.setSession('flash', { message: 'The app is removed; its tokens work no more.', type: 'success' });
  pair.response.removeResults().setRedirect(SEARCH);
}

type Step = (context: Context, pair: Pair) => Promise<void>;

function toRoute(method: 'GET' | 'POST', path: string, description: string, step: Step): RouteContribution {
  return {
    method,
    path,
    description,
    listen: (context) => (request, response) => step(context, { request, response }),
  };
}

const toForm = (app: ClientApp): Row => ({
  ...app,
  redirect_uris: app.redirectUris.join('\n'),
  pkce_optional: app.isPkceOptional ? '1' : '',
});

export const developerRoutes: readonly RouteContribution[] = [
  toRoute('GET', SEARCH, 'The apps of whoever is logged in.', showApps),
  toRoute('GET', '/developer/app/create', 'The form that registers an app.', openCreate),
  toRoute('POST', '/developer/app/create', 'Registers an app and shows its secret once.', postCreate),
  toRoute('GET', '/developer/app/update/:app_id', 'The form that changes an app.', (context, pair) =>
    change(context, pair, async (_owner, app) => showForm(context, pair, toForm(app), app)),
  ),
  toRoute('POST', '/developer/app/update/:app_id', 'Changes an app.', (context, pair) =>
    change(context, pair, (owner, app) => postUpdate(context, pair, owner, app)),
  ),
  toRoute('POST', '/developer/app/refresh/:app_id', 'Gives an app a new secret and shows it once.', (context, pair) =>
    change(context, pair, (owner) => postRefresh(context, pair, owner)),
  ),
  toRoute('POST', '/developer/app/remove/:app_id', 'Removes an app.', (context, pair) =>
    change(context, pair, (owner) => postRemove(context, pair, owner)),
  ),
];
