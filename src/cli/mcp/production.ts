import { TreadleError } from '../../core/errors.ts';
import { findMode } from '../application.ts';
import type { Invocation } from '../spec.ts';

/**
 * Asked at the start, and before each use of the database: settings that changed meanwhile may name another one.
 *
 * @throws MCP_PRODUCTION if the environment or the database counts as production.
 */
export async function refuseProduction(invocation: Invocation): Promise<void> {
  if ((await findMode(invocation)) !== 'production') return;
  throw new TreadleError('MCP_PRODUCTION', 'treadle mcp runs in development only, and this project is in production.', {
    status: 403,
    hint: 'Run it on a copy of the project, without NODE_ENV=production and with a database of its own.',
  });
}
