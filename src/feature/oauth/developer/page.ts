import { findOwn } from '../../../core/record.ts';
import { toLocalText, translate } from '../../../core/text/translate.ts';
import type { Row } from '../../../database/row-statement.ts';
import { type HeadedApp, type Tab, toAppHead } from '../../../page/app-head.ts';
import { type Exchange, requireMe } from '../../../page/exchange.ts';
import { showPage } from '../../../page/frame.ts';
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
export function showDeveloperPage(context: Context, exchange: Exchange, page: Page): void {
  const { response } = exchange;
  const data = {
    siteName: context.plan.model.settings.name,
    message: response.isError() ? response.getMessage() : undefined,
    errors: response.getValidation(),
    faults: toErrors(response.getValidation()),
    ...page.data,
  };
  const template = `developer/${page.name}`;
  showPage(context, exchange, { frame: 'developer', title: page.title, template, data });
}

const toHead = ({ appId, title, clientId, name, isActive, isStopped, secretHash }: ClientApp): HeadedApp => ({
  ...{ appId, title, clientId, name, isActive, isStopped },
  isPublic: secretHash === undefined,
});

/** Shows a page of one app. */
export function showAppPage(
  context: Context,
  exchange: Exchange,
  { app, tab, ...page }: Page & { readonly app: ClientApp; readonly tab: Tab },
): void {
  const data = { head: toAppHead(toHead(app), tab), ...page.data };
  showDeveloperPage(context, exchange, { ...page, title: `${translate(page.title)} · ${app.title}`, data });
}

/** Fills the stage that selects an app: the owner comes from the session, never from the form. */
export function nameApp({ request }: Exchange, owner: number, more: Row = {}): void {
  request.removeStage().setStage({ ...more, owner, app_id: request.getParameters('app_id') });
}

/** The user's own app in the path, also one of a definition file; undefined if another response was set. */
export async function requireApp(
  context: Context,
  exchange: Exchange,
  showMissing: (context: Context, exchange: Exchange) => Promise<void>,
): Promise<{ readonly app: ClientApp; readonly owner: number } | undefined> {
  const owner = requireMe(exchange);
  if (owner === undefined) return undefined;
  nameApp(exchange, owner);
  const app = await findShownApp(context, exchange.request, {
    app_id: Number(exchange.request.getParameters('app_id')),
    owner,
  });
  if (!(app instanceof Rejection)) return { app, owner };
  exchange.response.refuse(app.refusal);
  await showMissing(context, exchange);
  return undefined;
}
