import { requireProof } from '../../../access/proof.ts';
import { toLocalText } from '../../../core/text/translate.ts';
import type { Row } from '../../../database/row-statement.ts';
import { toFormatLabel } from '../../../model/hook-message.ts';
import { type Exchange, flash, requireMe } from '../../../page/exchange.ts';
import type { Context } from '../../../plan/feature.ts';
import { isScopeAllowed } from '../client/allowed-scopes.ts';
import type { ClientApp } from '../client/app-row.ts';
import { isSubscribed } from '../client/subscribed-hooks.ts';
import { LIST, showApps } from './list.ts';
import { nameApp, requireApp, showAppPage, showDeveloperPage } from './page.ts';

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

/** Approval state: not needed, given, or pending for an app that lists it. */
const toApproval = (needsApproval: boolean, isListed: boolean, isGiven: boolean): Row => ({
  isApproved: needsApproval,
  isGiven: needsApproval && isGiven,
  isWaiting: isListed && !isGiven,
});

/** The scopes and web hooks of a form, with their selection and pending approvals. */
export function listChoices(context: Context, form: Row, app?: ClientApp): Row {
  const { model, hooks } = context.plan;
  return {
    scopes: [...model.scopes.values()].map(({ slug, definition }) => ({
      slug,
      name: toLocalText(definition.name),
      description: toLocalText(definition.description ?? ''),
      isForApp: definition.access === 'app',
      ...toApproval(
        definition.approval === true,
        app?.scopes.includes(slug) === true,
        app !== undefined && isScopeAllowed(model, app, slug),
      ),
      isTicked: toList(form.scopes).includes(slug),
    })),
    hooks: hooks.map(({ name, definition }) => ({
      name,
      title: toLocalText(definition.title),
      type: definition.type,
      format: toFormatLabel(definition.format),
      description: toLocalText(definition.description ?? ''),
      ...toApproval(
        definition.approval === true,
        app?.hooks.includes(name) === true,
        app !== undefined && isSubscribed(context, app, name),
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

function showNew(context: Context, exchange: Exchange, form: Row): void {
  const data = {
    title: 'New app',
    action: '/developer/app/create',
    cancel: LIST,
    form,
    isNew: true,
    isPublic: form.public === '1',
    ...listChoices(context, form),
  };
  showDeveloperPage(context, exchange, { name: 'app-create', title: 'New app', data });
}

function showSettings(context: Context, exchange: Exchange, form: Row, app: ClientApp): void {
  const data = {
    action: `/developer/app/update/${app.appId}`,
    cancel: `/developer/app/detail/${app.appId}`,
    form,
    isNew: false,
    isPublic: app.secretHash === undefined,
    ...listChoices(context, form, app),
  };
  showAppPage(context, exchange, { app, tab: 'update', name: 'app-update', title: 'Settings', data });
}

/** Fills the stage from the form only; the owner comes from the session. */
function fillStage({ request }: Exchange, owner: number): Row {
  const appId = request.getParameters('app_id');
  const form: Row = {};
  for (const field of FIELDS) form[field] = request.getPost(field) ?? request.getPost(`${field}[]`);
  request.removeStage().setStage({ ...form, owner, ...(appId === undefined ? {} : { app_id: appId }) });
  return form;
}

/** Shows results that contain secrets; they are shown only once. */
function showSecret(context: Context, exchange: Exchange, title: string): void {
  const results = exchange.response.getResults() as Row;
  exchange.response.removeResults();
  const until = Number(results.old_until ?? 0);
  const data = {
    ...results,
    title,
    app_title: results.title,
    isOldGood: until > 0,
    isOldEnded: results.old_until === 0,
  };
  showDeveloperPage(context, exchange, { name: 'app-secret', title, data });
}

export async function openCreate(context: Context, exchange: Exchange): Promise<void> {
  if (requireMe(exchange) !== undefined) showNew(context, exchange, {});
}

export async function postCreate(context: Context, exchange: Exchange): Promise<void> {
  const owner = requireMe(exchange);
  if (owner === undefined) return;
  const form = fillStage(exchange, owner);
  await context.emit('app-create', exchange.request, exchange.response);
  if (exchange.response.isError()) showNew(context, exchange, form);
  else showSecret(context, exchange, 'Your app is registered');
}

export async function openUpdate(context: Context, exchange: Exchange): Promise<void> {
  const found = await requireApp(context, exchange, showApps);
  if (found) showSettings(context, exchange, toForm(found.app), found.app);
}

/** Refuses to change an app of a definition file, with a message that names the file. */
function refuseFile(context: Context, exchange: Exchange, app: ClientApp): boolean {
  if (app.name === undefined) return false;
  const message = `This app is defined in config/app/${app.name}.json; change that file.`;
  exchange.response.refuse({ status: 409, code: 'STATE_CONFLICT', message });
  showSettings(context, exchange, toForm(app), app);
  return true;
}

export async function postUpdate(context: Context, exchange: Exchange): Promise<void> {
  const found = await requireApp(context, exchange, showApps);
  if (!found || refuseFile(context, exchange, found.app)) return;
  const form = fillStage(exchange, found.owner);
  await context.emit('app-update', exchange.request, exchange.response);
  if (exchange.response.isError()) return showSettings(context, exchange, form, found.app);
  const warning = exchange.response.getResults('warning');
  if (typeof warning === 'string') flash(exchange, `Saved. ${warning}`, 'warning');
  else flash(exchange, 'Saved.');
  exchange.response.removeResults().setRedirect(`/developer/app/detail/${found.app.appId}`);
}

export async function postRefresh(context: Context, exchange: Exchange): Promise<void> {
  const found = await requireApp(context, exchange, showApps);
  if (!found || refuseFile(context, exchange, found.app)) return;
  if (!requireProof(context, exchange, `/developer/app/update/${found.app.appId}`)) return;
  fillStage(exchange, found.owner);
  await context.emit('app-refresh', exchange.request, exchange.response);
  if (exchange.response.isError()) showSettings(context, exchange, toForm(found.app), found.app);
  else showSecret(context, exchange, 'A new client secret');
}

/** Stops or resumes the user's own app. */
const postState =
  (event: 'app-suspend' | 'app-restore', done: string) =>
  async (context: Context, exchange: Exchange): Promise<void> => {
    const found = await requireApp(context, exchange, showApps);
    if (!found || refuseFile(context, exchange, found.app)) return;
    nameApp(exchange, found.owner);
    await context.emit(event, exchange.request, exchange.response);
    if (exchange.response.isError()) return showSettings(context, exchange, toForm(found.app), found.app);
    flash(exchange, `${found.app.title} ${done}`);
    exchange.response.removeResults().setRedirect(`/developer/app/detail/${found.app.appId}`);
  };

export const postStop = postState('app-suspend', 'is stopped: its dialog, secrets and tokens no longer work.');
export const postResume = postState('app-restore', 'works again, with the tokens that it had.');

/** Ignores leading, trailing and repeated blanks in the confirmation. */
const tidy = (text: unknown): string =>
  String(text ?? '')
    .trim()
    .replace(/\s+/g, ' ');

export async function postRemove(context: Context, exchange: Exchange): Promise<void> {
  const found = await requireApp(context, exchange, showApps);
  if (!found || refuseFile(context, exchange, found.app)) return;
  const { app, owner } = found;
  // The form always has this field; a post without it comes from a program that needs no confirmation.
  const typed = exchange.request.getPost('confirm');
  if (typed !== undefined && tidy(typed) !== tidy(app.title)) {
    const message = `Type the app's title, ${app.title}, to remove it.`;
    exchange.response.refuse({ status: 422, code: 'VALIDATION_FAILED', message, validation: { confirm: message } });
    return showSettings(context, exchange, toForm(app), app);
  }
  nameApp(exchange, owner);
  await context.emit('app-remove', exchange.request, exchange.response);
  if (exchange.response.isError()) return showSettings(context, exchange, toForm(app), app);
  flash(exchange, `${app.title} is removed; its tokens no longer work.`);
  exchange.response.removeResults().setRedirect(LIST);
}
