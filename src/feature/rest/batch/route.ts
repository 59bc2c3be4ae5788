import { once } from '../../../core/memoize.ts';
import type { Batch } from '../../../plan/call/batch.ts';
import type { RouteContribution } from '../../../plan/feature.ts';
import type { CallState } from '../call.ts';

/** The route of a batch. Few sites send one, so its code is loaded at the first. */
export const createBatchRoute = (batch: Batch, state: CallState): RouteContribution => ({
  method: 'POST',
  path: batch.path,
  description: `Many ${batch.access} calls that write rows, in one transaction`,
  kind: 'api',
  isTextJson: true,
  listen(context) {
    const load = once(() => import('./batch.ts').then(({ compileBatch }) => compileBatch(batch, context, state)));
    return async (request, response, meta) => (await load())(request, response, meta);
  },
});
