import { findOwn } from '../../../core/record.ts';
import { toLocalText, translate } from '../../../core/text/translate.ts';
import type { Row } from '../../../database/row-statement.ts';
import { type HeadedApp, type Tab, toAppHead } from '../../../page/app-head.ts';
import { type Pair, requireMe, showInFrame } from '../../../page/exchange.ts';
import { Rejection } from '../../../plan/event/event.ts';
import type { Context } from '../../../plan/feature.ts';
import type { ClientApp } from '../client/app-row.ts';
import { findShownApp } from '../client/owned-app.ts';

interface Page {
  readonly name: string;
  readonly title: string;
  readonly data: Row;
}

/** Labels and ids of the form's fields, for links in the error summary. */
const FIELDS: Readonly<Record<string, readonly [label: string, id: string]>> = {
  title: ['Title', 't-title'],
  website: ['Website', 't-website'],
  redirect_uris: ['Redirect addresses', 't-redirect'],
  scopes: ['Scopes', 't-scopes'],
  hooks: ['Web hooks', 't-hooks'],
  webhook: ['Web hook address', 't-webhook'],
  confirm: ['Confirmation', 't-confirm'],
};

/** Validation errors as a list of links to their fields. */
function toErrors(validation: unknown): Row[] {
  const entries = typeof validation === 'object' && validation !== null ? Object.entries(validation) : [];
  return entries.map(([field, message]) => {
    const [label, id] = findOwn(FIELDS, field) ?? [field, `t-${field}`];
    return { href: `#${id}`, label: toLocalText(label), message };
  });
}

/** Shows a page of the developer section. */
export function showDeveloperPage(context: Context, pair: Pair, page: Page): void {
  const { services, plan } = context;
  const { request, response } = pair;
  const body = services.views.render('developer', page.name, {
    csrf: services.sessions.formToken(request),
    siteName: plan.model.settings.name,
    message: response.isError() ? response.getMessage() : undefined,
    errors: response.getValidation(),
    faults: toErrors(response.getValidation()),
    ...page.data,
  });
  showInFrame(context, pair, { title: page.title, body });
}

const toHead = ({ appId, title, clientId, name, isActive, isStopped, secretHash }: ClientApp): HeadedApp => ({
  ...{ appId, title, clientId, name, isActive, isStopped },
  isPublic: secretHash === undefined,
});

/** Shows a page of one app. */
export function showAppPage(
  context: Context,
  pair: Pair,
  { app, tab, ...page }: Page & { readonly app: ClientApp; readonly tab: Tab },
): void {
  const data = { head: toAppHead(toHead(app), tab), ...page.data };
  showDeveloperPage(context, pair, { ...page, title: `${translate(page.title)} · ${app.title}`, data });
}

/** Fills the stage that selects an app: the owner comes from the session, never from the form. */
export function nameApp({ request }: Pair, owner: number, more: Row = {}): void {
  request.removeStage().setStage({ ...more, owner, app_id: request.getParameters('app_id') });
}

/** The user's own app in the path, also one of a definition file; undefined if another response was set. */
export async function requireApp(
  context: Context,
  pair: Pair,
  showMissing: (context: Context, pair: Pair) => Promise<void>,
): Promise<{ readonly app: ClientApp; readonly owner: number } | undefined> {
  const owner = requireMe(pair);
  if (owner === undefined) return undefined;
  nameApp(pair, owner);
  const app = await findShownApp(context, pair.request, {
    app_id: Number(pair.request.getParameters('app_id')),
    owner,
  });
  if (!(app instanceof Rejection)) return { app, owner };
  pair.response.refuse(app.refusal);
  await showMissing(context, pair);
  return undefined;
}
