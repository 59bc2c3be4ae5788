import type { EventContribution } from '../../../plan/feature.ts';
import type { CallState } from '../call.ts';

/** Endpoints whose answers pages of apps read. */
const OPEN_ENDPOINTS: ReadonlySet<string> = new Set(['/oauth/token', '/oauth/revoke', '/oauth/userinfo']);

/** The event of an API request that is refused before its route runs. */
export const createApiRefuse = ({ corsOf }: CallState): EventContribution => ({
  name: 'api-refuse',
  description:
    'Adds CORS headers to a request that is refused before its route runs, for example because its body is broken.',
  stage: {},
  results: 'None, only headers.',
  kind: 'silent',
  listen: (context) => {
    const cors = corsOf(context);
    const isStrict = context.plan.model.settings.oauth.mode === 'strict';
    return async function markRefusal(request, response) {
      const path = request.getPath('string');
      // Servers, not pages, exchange codes in the classic form.
      const isCall = path.startsWith('/rest/') && (isStrict || path !== '/rest/access');
      if (!isCall && !OPEN_ENDPOINTS.has(path)) return undefined;
      await cors.mark(request, response);
      return undefined;
    };
  },
});
