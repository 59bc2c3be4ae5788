import * as z from 'zod';
import { defineEvent } from '../../../plan/event/event.ts';
import { row } from '../../../plan/event/value.ts';
import { loadAdvice } from '../late.ts';
import { listShapes } from '../sql.ts';
import { createPending } from '../watch.ts';

export const slowSearch = defineEvent({
  name: 'slow-search',
  description: 'Lists slow searches with the index that helps. The one that took the most time in all comes first.',
  kind: 'silent',
  stage: () => z.object({}),
  results: () =>
    z
      .object({ rows: z.array(row()) })
      .describe(
        '`rows`: `search` in words without values, `count`, milliseconds `worst` and `mean`, most returned `rows`, `since` and `seen` in UTC, `plan` in words, `index` (`state`, `line`, `file`, `columns`, `tried`) or null, `remedy`, `statement`.',
      ),
  async run(_stage, { plan, services }) {
    const { toView } = await loadAdvice();
    await services.memory.get(createPending).write();
    const shapes = await listShapes(services.database);
    return { rows: shapes.map((shape) => toView(shape, plan.model)).filter((view) => view !== undefined) };
  },
});
