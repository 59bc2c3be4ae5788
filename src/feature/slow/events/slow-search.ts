import type { EventContribution } from '../../../plan/feature.ts';
import { loadAdvice } from '../late.ts';
import { listShapes } from '../sql.ts';
import { createPending } from '../watch.ts';

export const slowSearch: EventContribution = {
  name: 'slow-search',
  description: 'Lists slow searches with the index that helps. The one that took the most time in all comes first.',
  stage: {},
  results:
    '`rows`: `search` in words without values, `count`, milliseconds `worst` and `mean`, most returned `rows`, `since` and `seen` in UTC, `plan` in words, `index` (`state`, `line`, `file`, `columns`, `tried`) or null, `remedy`, `statement`.',
  kind: 'silent',
  listen:
    ({ plan, services }) =>
    async (_request, response) => {
      const { toView } = await loadAdvice();
      await services.memory.get(createPending).write();
      const shapes = await listShapes(services.database);
      response.succeed({ rows: shapes.flatMap((shape) => toView(shape, plan.model) ?? []) });
    },
};
