import * as z from 'zod';
import { defineEvent } from '../../../plan/event/event.ts';
import { text } from '../../../plan/event/value.ts';
import { removeShapes } from '../sql.ts';

export const slowRemove = defineEvent({
  name: 'slow-remove',
  description: 'Forgets slow searches, such as those from before an index was added.',
  kind: 'silent',
  stage: () => z.object({ slow_id: text('Only this one. Default: all.') }),
  results: () => z.object({ removed: z.number() }).describe('`removed`: how many.'),
  run: async ({ slow_id: id }, { services }) => ({ removed: await removeShapes(services.database, id) }),
});
