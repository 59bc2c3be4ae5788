import type { EventContribution } from '../../../plan/feature.ts';
import { compileCors } from '../cors.ts';

export const apiRefuse: EventContribution = {
  event: 'api-refuse',
  description:
    'Adds the headers that let a page read an answer which is refused before its route is heard, such as one to a body that cannot be read.',
  stage: {},
  results: 'None: headers only.',
  commits: 'nothing',
  listen: (context) => {
    const cors = compileCors(context);
    return async function markRefusal(request, response) {
      const path = request.getPath('string');
      // The exchange of a code belongs to servers, not to pages.
      if (!path.startsWith('/rest/') || path === '/rest/access') return undefined;
      await cors.mark(request, response);
      return undefined;
    };
  },
};
