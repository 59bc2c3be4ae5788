import type { Listener } from '../../core/bus.ts';
import type { Context } from '../../plan/feature.ts';
import { createReadiness } from './readiness.ts';

/** The process answers: that is all it says. */
export const answerLive: Listener = (_request, response) => {
  response.addHeader('cache-control', 'no-store').setError(false).setResults({ status: 'up' });
};

/** Names the checks that fail and nothing else: anybody may ask. Why they fail is in the log. */
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
