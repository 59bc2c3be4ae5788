import type { Row } from '../../database/database.ts';
import { toFormatLabel } from '../../model/hook-message.ts';
import { flash, type Pair, requireMe } from '../../plan/developer-frame.ts';
import type { Context } from '../../plan/feature.ts';
import type { ClientApp } from './app-row.ts';
import { LIST, showApps } from './developer-list.ts';
import { nameApp, requireApp, showAppPage, showDeveloperPage } from './developer-page.ts';
import { refuse } from './errors.ts';
import { isHeard } from './held-hooks.ts';
import { isHeld } from './held-scopes.ts';

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

const toList = (value: unknown): readonly unknown[] =>
  typeof value === 'object' && value !== null ? Object.values(value) : [value];

/** How the approval of something stands: needed, given, or waited for by an app that lists it. */
const toApproval = (needsApproval: boolean, isListed: boolean, isGiven: boolean): Row => ({
  isApproved: needsApproval,
  isGiven: needsApproval && isGiven,
  isWaiting: isListed && !isGiven,
});

/** The scopes and web hooks that a form offers, with what is ticked and what waits. */
export function toChoices(context: Context, form: Row, app?: ClientApp): Row {
  const { model, hooks } = context.plan;
  return {
    scopes: [...model.scopes.values()].map(({ slug, definition }) => ({
      slug,
      name: definition.name,
      description: definition.description,
      isForApp: definition.access === 'app',
      ...toApproval(
        definition.approval === true,
        app?.scopes.includes(slug) === true,
        app !== undefined && isHeld(model, app, slug),
      ),
      isTicked: toList(form.scopes).includes(slug),
    })),
    hooks: hooks.map(({ name, definition }) => ({
      name,
      title: definition.title,
      type: definition.type,
      format: toFormatLabel(definition.format),
      description: definition.description,
      ...toApproval(
        definition.approval === true,
        app?.hooks.includes(name) === true,
        app !== undefined && isHeard(context, app, name),
      ),
      isTicked: toList(form.hooks).includes(name),
    })),
  };
}

const toForm = (app: ClientApp): Row => ({
  ...app,
  redirect_uris: app.redirectUris.join('\n'),
  pkce_optional: app.isPkceOptional ? '1' : '',
});

function showNew(context: Context, pair: Pair, form: Row): void {
  const data = {
    title: 'New app',
    action: '/developer/app/create',
    cancel: LIST,
    form,
    isNew: true,
    isPublic: form.public === '1',
    ...toChoices(context, form),
  };
  showDeveloperPage(context, pair, { name: 'app-create', title: 'New app', data });
}

function showSettings(context: Context, pair: Pair, form: Row, app: ClientApp): void {
  const data = {
    action: `/developer/app/update/${app.appId}`,
    cancel: `/developer/app/detail/${app.appId}`,
    form,
    isNew: false,
    isPublic: app.secretHash === undefined,
    ...toChoices(context, form, app),
  };
  showAppPage(context, pair, { app, tab: 'update', name: 'app-update', title: 'Settings', data });
}

/** The posted fields become the stage, and nothing else does: whose app it is comes from the session. */
function fillStage({ request }: Pair, owner: number): Row {
  const appId = request.getParameters('app_id');
  const form: Row = {};
  for (const field of FIELDS) form[field] = request.getPost(field) ?? request.getPost(`${field}[]`);
  request.removeStage().setStage({ ...form, owner, ...(appId === undefined ? {} : { app_id: appId }) });
  return form;
}

/** Shows results that hold secrets, this once. */
function showSecret(context: Context, pair: Pair, title: string): void {
  const results = pair.response.getResults() as Row;
  pair.response.removeResults();
  const until = Number(results.old_until ?? 0);
  const data = {
    ...results,
    title,
    app_title: results.title,
    isOldGood: until > 0,
    isOldEnded: results.old_until === 0,
  };
  showDeveloperPage(context, pair, { name: 'app-secret', title, data });
}

export async function openCreate(context: Context, pair: Pair): Promise<void> {
  if (requireMe(pair) !== undefined) showNew(context, pair, {});
}

export async function postCreate(context: Context, pair: Pair): Promise<void> {
  const owner = requireMe(pair);
  if (owner === undefined) return;
  const form = fillStage(pair, owner);
  await context.emit('app-create', pair.request, pair.response);
  if (pair.response.isError()) showNew(context, pair, form);
  else showSecret(context, pair, 'Your app is registered');
}

export async function openUpdate(context: Context, pair: Pair): Promise<void> {
  const found = await requireApp(context, pair, showApps);
  if (found) showSettings(context, pair, toForm(found.app), found.app);
}

/** Answers what would change an app of a definition file: its settings, which name the file. */
function refuseFile(context: Context, pair: Pair, app: ClientApp): boolean {
  if (app.name === undefined) return false;
  const message = `This app is defined in config/app/${app.name}.json; change that file.`;
  refuse(pair.response, { status: 409, message });
  showSettings(context, pair, toForm(app), app);
  return true;
}

export async function postUpdate(context: Context, pair: Pair): Promise<void> {
  const found = await requireApp(context, pair, showApps);
  if (!found || refuseFile(context, pair, found.app)) return;
  const form = fillStage(pair, found.owner);
  await context.emit('app-update', pair.request, pair.response);
  if (pair.response.isError()) return showSettings(context, pair, form, found.app);
  const warning = pair.response.getResults('warning');
  if (typeof warning === 'string') flash(pair, `Saved. ${warning}`, 'warning');
  else flash(pair, 'Saved.');
  pair.response.removeResults().setRedirect(`/developer/app/detail/${found.app.appId}`);
}

export async function postRefresh(context: Context, pair: Pair): Promise<void> {
  const found = await requireApp(context, pair, showApps);
  if (!found || refuseFile(context, pair, found.app)) return;
  fillStage(pair, found.owner);
  await context.emit('app-refresh', pair.request, pair.response);
  if (pair.response.isError()) showSettings(context, pair, toForm(found.app), found.app);
  else showSecret(context, pair, 'A new client secret');
}

/** Stops an app of one's own, or lets it work again. */
const postState =
  (event: 'app-suspend' | 'app-restore', done: string) =>
  async (context: Context, pair: Pair): Promise<void> => {
    const found = await requireApp(context, pair, showApps);
    if (!found || refuseFile(context, pair, found.app)) return;
    nameApp(pair, found.owner);
    await context.emit(event, pair.request, pair.response);
    if (pair.response.isError()) return showSettings(context, pair, toForm(found.app), found.app);
    flash(pair, `${found.app.title} ${done}`);
    pair.response.removeResults().setRedirect(`/developer/app/detail/${found.app.appId}`);
  };

export const postStop = postState('app-suspend', 'is stopped: its dialog, secrets and tokens work no more.');
export const postResume = postState('app-restore', 'works again, with the tokens that it had.');

/** Blanks at the ends and in a row count for nothing where a name is typed again. */
const tidy = (text: unknown): string =>
  String(text ?? '')
    .trim()
    .replace(/\s+/g, ' ');

export async function postRemove(context: Context, pair: Pair): Promise<void> {
  const found = await requireApp(context, pair, showApps);
  if (!found || refuseFile(context, pair, found.app)) return;
  const { app, owner } = found;
  // The form has the field always; what posts without it is a program that means it.
  const typed = pair.request.getPost('confirm');
  if (typed !== undefined && tidy(typed) !== tidy(app.title)) {
    const message = `Type the app's title, ${app.title}, to remove it.`;
    refuse(pair.response, { status: 422, message, fields: { confirm: message } });
    return showSettings(context, pair, toForm(app), app);
  }
  nameApp(pair, owner);
  await context.emit('app-remove', pair.request, pair.response);
  if (pair.response.isError()) return showSettings(context, pair, toForm(app), app);
  flash(pair, `${app.title} is removed; its tokens work no more.`);
  pair.response.removeResults().setRedirect(LIST);
}
