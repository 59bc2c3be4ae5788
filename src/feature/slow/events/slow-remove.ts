import type { EventContribution } from '../../../plan/feature.ts';
import { removeShapes } from '../sql.ts';

export const slowRemove: EventContribution = {
  name: 'slow-remove',
  description: 'Forgets slow searches, such as those from before an index was added.',
  stage: { slow_id: 'Only this one. Default: all.' },
  results: '`removed`: how many.',
  kind: 'silent',
  listen:
    ({ services }) =>
    async (request, response) => {
      const id: unknown = request.getStage('slow_id');
      const given = id === undefined || id === null || id === '' ? undefined : String(id);
      response.succeed({ removed: await removeShapes(services.database, given) });
    },
};
