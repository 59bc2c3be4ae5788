import { translate } from '../../../../core/text/translate.ts';
import type { Pair } from '../../../../developer/frame.ts';
import type { Context } from '../../../../plan/feature.ts';
import { showInAdmin } from '../../frame.ts';
import { mayOpen } from '../../guard.ts';
import { readFacts } from './facts.ts';
import { renderParts } from './view.ts';

/** Shows the first page of the admin section. */
export async function showOverview(context: Context, pair: Pair): Promise<void> {
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
