import { toLocalText } from '../core/text/translate.ts';
import type { Row } from '../database/row-statement.ts';
import type { Context } from '../plan/feature.ts';
import { type AdminPage, renderAdminFrame } from './admin-frame.ts';
import { type Exchange, toHere } from './exchange.ts';
import { type PageContent, renderTemplate } from './template.ts';

/** A page of the developer section. */
export interface DeveloperPage extends PageContent {
  readonly frame: 'developer';
  /** Scripts of the page, without extension. Default `developer`. */
  readonly scripts?: readonly string[];
  /** The page of `dev` that it is, which `dev` has also where the API, and with it the developer section, is closed. */
  readonly current?: 'inbox' | 'mail';
}

/** A page in the site's own layout, which a project may have replaced: of an account. */
interface SitePage extends PageContent {
  readonly frame: 'site';
}

function renderDeveloperFrame({ services, plan }: Context, page: DeveloperPage, shared: Row): string {
  const { settings } = plan.model;
  return services.views.render('developer', '_page', {
    ...shared,
    signupClosed: !settings.auth.signup,
    scripts: page.scripts ?? ['developer'],
    hasInbox: plan.isDevelopment,
    isInbox: page.current === 'inbox',
    isMail: page.current === 'mail',
    isApps: page.current === undefined,
    isClosed: !settings.api,
  });
}

function renderFrame(context: Context, exchange: Exchange, page: AdminPage | DeveloperPage, data: Row): string {
  const { request, response } = exchange;
  const shared = {
    title: toLocalText(page.title),
    siteName: context.plan.model.settings.name,
    me: request.getSession('me'),
    here: encodeURIComponent(toHere(request)),
    csrf: data.csrf,
    flash: response.getFlash(),
    body: renderTemplate(context, page.template, data),
  };
  if (page.frame === 'developer') return renderDeveloperFrame(context, page, shared);
  const actions = page.actions === undefined ? undefined : renderTemplate(context, page.actions, data);
  return renderAdminFrame(context, exchange, page, { ...shared, actions });
}

/** Shows a page in its frame. It is `no-store`, because it may show a secret, people's data, or who is logged in. */
export function showPage(context: Context, exchange: Exchange, page: SitePage): Promise<void>;
export function showPage(context: Context, exchange: Exchange, page: AdminPage | DeveloperPage): void;
export function showPage(
  context: Context,
  exchange: Exchange,
  page: AdminPage | DeveloperPage | SitePage,
): Promise<void> | undefined {
  const { request, response } = exchange;
  const data = { csrf: context.services.sessions.formToken(request), ...page.data };
  response
    .addHeader('cache-control', 'no-store')
    // Over plain http a form of a page without referrer would hide from its own site where it comes from.
    .addHeader('referrer-policy', 'same-origin')
    .setTitle(page.title);
  if (page.frame === 'site') {
    response.setContent(renderTemplate(context, page.template, data));
    return context.emit('www-render-page', request, response).then(() => {});
  }
  response.setContent(renderFrame(context, exchange, page, data));
  return undefined;
}
