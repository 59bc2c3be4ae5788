import { translate } from '../../../core/text/translate.ts';
import { type Pair, toRoute } from '../../../page/exchange.ts';
import { showInAdmin } from '../../../page/frame.ts';
import { mayOpen } from '../../../page/guard.ts';
import type { Context, RouteContribution } from '../../../plan/feature.ts';
import { readFacts } from './facts.ts';
import { streamOverview } from './live.ts';
import { renderParts } from './view.ts';

/** Shows the first page of the admin section. */
async function showOverview(context: Context, pair: Pair): Promise<void> {
  const parts = renderParts(context, await readFacts(context));
  const { views } = context.services;
  showInAdmin(context, pair, {
    title: translate('Overview'),
    current: '/admin',
    // A role may open this page and not its stream.
    scripts: mayOpen(context, '/admin/events') ? ['admin-live'] : [],
    actions: views.render('admin', 'run/live', {}),
    body: views.render('admin', 'run/overview', { parts }),
  });
}

/** The first page, and the events that renew it. */
export const overviewRoutes: readonly RouteContribution[] = [
  toRoute('GET', '/admin', 'The first page of the admin section.', showOverview),
  toRoute('GET', '/admin/events', 'Renews the first page of the admin section: server-sent events.', streamOverview),
];
