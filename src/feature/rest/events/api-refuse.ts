import type { EventContribution } from '../../../plan/feature.ts';
import { compileCors } from '../cors.ts';

export const apiRefuse: EventContribution = {
  event: 'api-refuse',
  description:
    'Adds CORS headers to a request that is refused before its route runs, for example because its body is broken.',
  stage: {},
  results: 'None, only headers.',
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
