import type { Listener } from '../../core/bus/followers.ts';
import type { Context } from '../../plan/feature.ts';
import { createReadiness } from './readiness.ts';

/** Answers whenever the process does. */
export const answerLive: Listener = (_request, response) => {
  response.addHeader('cache-control', 'no-store').setError(false).setResults({ status: 'up' });
};

/** Names the failed checks and nothing else, because anybody may ask. The reasons are in the log. */
export function answerReady(context: Context): Listener {
  const readiness = createReadiness(context);
  return async (_request, response) => {
    response.addHeader('cache-control', 'no-store');
    const checks = await readiness();
    if (checks.length === 0) {
      response.setError(false).setResults({ status: 'ready' });
      return;
    }
    response.setStatus(503).setError(true, 'The server is not ready.').set('problem', { checks });
  };
}
