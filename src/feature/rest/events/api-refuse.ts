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
      // Servers exchange codes, not pages, so the exchange has no CORS headers.
      if (!path.startsWith('/rest/') || path === '/rest/access') return undefined;
      await cors.mark(request, response);
      return undefined;
    };
  },
};
