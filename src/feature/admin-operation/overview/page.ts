import { translate } from '../../../core/text/translate.ts';
import { createRoute, type Exchange } from '../../../page/exchange.ts';
import { showPage } from '../../../page/frame.ts';
import { mayOpen } from '../../../page/guard.ts';
import type { Context, RouteContribution } from '../../../plan/feature.ts';
import { readFacts } from './facts.ts';
import { streamOverview } from './live.ts';
import { renderParts } from './view.ts';

/** Shows the first page of the admin section. */
async function showOverview(context: Context, exchange: Exchange): Promise<void> {
  const parts = renderParts(context, await readFacts(context));
  showPage(context, exchange, {
    frame: 'admin',
    title: translate('Overview'),
    current: '/admin',
    // A role may open this page and not its stream.
    scripts: mayOpen(context, '/admin/events') ? ['admin-live'] : [],
    actions: 'admin/run/live',
    template: 'admin/run/overview',
    data: { parts },
  });
}

/** The first page, and the events that renew it. */
export const overviewRoutes: readonly RouteContribution[] = [
  createRoute('GET', '/admin', 'The first page of the admin section.', showOverview),
  createRoute(
    'GET',
    '/admin/events',
    'Renews the first page of the admin section: server-sent events.',
    streamOverview,
  ),
];
