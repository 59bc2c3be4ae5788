import { CompiledQuery } from 'kysely';
import type { Listener } from '../../core/bus.ts';
import type { Context } from '../../plan/feature.ts';

const PROBE = CompiledQuery.raw('select 1 as up');

/** The process answers: that is all it says. */
export const answerLive: Listener = (_request, response) => {
  response.addHeader('cache-control', 'no-store').setError(false).setResults({ status: 'up' });
};

/** Asks the database; why it does not answer is for the log. */
export function answerReady({ services }: Context): Listener {
  return async (_request, response) => {
    response.addHeader('cache-control', 'no-store');
    try {
      await services.database.run(PROBE);
      response.setError(false).setResults({ status: 'ready' });
    } catch (error) {
      services.log.warn('not ready', { error });
      response.setStatus(503).setError(true, 'The database does not answer.');
    }
  };
}
