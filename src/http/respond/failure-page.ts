import { findPageAccess } from '../../access/grant.ts';
import type { Log } from '../../core/log/log.ts';
import type { Request } from '../../core/request/request.ts';
import { Response } from '../../core/request/response.ts';
import { currentScope } from '../../core/scope.ts';
import { currentLocaleTag, translate } from '../../core/text/translate.ts';
import { escapeHtml } from '../../model/format/format-text.ts';
import type { Views } from '../../plan/feature.ts';
import { type Exchange, toScope } from '../exchange.ts';
import { type Failure, toTitle } from './failure.ts';

/** A page without templates, used if the site's own layout fails. */
export function renderPlainFailure(failure: Failure, id: string): string {
  const title = escapeHtml(`${failure.status} ${toTitle(failure.status)}`);
  return `<!doctype html>
<html lang="${currentLocaleTag()}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>${title}</title><link rel="icon" href="/favicon.svg" type="image/svg+xml"><link rel="stylesheet" href="/styles/treadle.css"><link rel="stylesheet" href="/styles/theme.css"></head>
<body class="t-body"><main class="t-page t-stack"><h1>${title}</h1><p>${escapeHtml(failure.message)}</p><p>${escapeHtml(translate('Request {id}', { id }))}</p></main></body></html>
`;
}

const isWholePage = (content: unknown): content is string =>
  typeof content === 'string' && /^\s*(?:<!doctype|<html)/i.test(content);

export interface FailurePageOptions {
  readonly views: Views;
  readonly log: Log;
}

/** Input of an error page. */
export interface FailedExchange {
  readonly exchange: Exchange;
  readonly request: Request;
}

/** The content of the error page: the project's own of that status, else Treadle's. In development, an error shows its trace. */
function renderContent(
  failure: Failure,
  { exchange, request }: FailedExchange,
  { views, log }: FailurePageOptions,
): string {
  const { status, message, hint, trace } = failure;
  const { id, path, method, context } = exchange;
  const data = { title: toPageTitle(status), status, message, hint, id, path, method };
  if (trace) return views.render('http', 'error-development', { ...data, trace });
  try {
    const own = context.plan.renderError(status, { ...data, me: request.getSession('me') });
    if (own !== undefined) return own;
  } catch (error) {
    log.warn("the project's error page failed", { request: id, status, error });
  }
  return views.render('http', status === 404 ? 'not-found' : 'error', data);
}

const toPageTitle = (status: number): string => (status === 404 ? translate('Page not found') : toTitle(status));

/**
 * Renders an error in the site's layout, through `www-render-page`, which the project may have replaced; if that
 * fails too, renders the plain page.
 */
export async function renderFailure(
  failure: Failure,
  failed: FailedExchange,
  options: FailurePageOptions,
): Promise<string> {
  const { exchange, request } = failed;
  const { context } = exchange;
  try {
    const { status } = failure;
    const response = new Response(request).setStatus(status).setTitle(toPageTitle(status));
    // The exchange's scope ended with the error, but a page with a form token needs one.
    const access = exchange.access ?? (await findPageAccess(context, request));
    const page = await currentScope.run(toScope(exchange, { request, response, access }), async () => {
      const content = renderContent(failure, failed, options);
      if (isWholePage(content)) return content;
      await context.emit('www-render-page', request, response.setContent(content));
      return response.getContent();
    });
    if (isWholePage(page)) return page;
  } catch (error) {
    options.log.warn('error page failed', { request: exchange.id, error });
  }
  return renderPlainFailure(failure, exchange.id);
}
