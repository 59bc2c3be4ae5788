import { TreadleError } from '../../core/errors.ts';
import { toObject } from '../../core/record.ts';
import type { Invocation } from '../spec.ts';
import { runForJson } from './command-run.ts';
import { refuseProduction } from './production.ts';

const isFilled = (list: unknown): boolean => Array.isArray(list) && list.length > 0;

/**
 * For a tool that starts the application to read: in development the start itself would migrate, and run the project's own steps.
 *
 * @throws MCP_PRODUCTION @throws MCP_DATABASE_BEHIND if the start would change the database.
 */
export async function refuseBehind(invocation: Invocation): Promise<void> {
  await refuseProduction(invocation);
  const { steps, own } = toObject(await runForJson(invocation, ['migrate', '--dry-run'], true));
  if (!isFilled(steps) && !isFilled(own)) return;
  throw new TreadleError('MCP_DATABASE_BEHIND', 'Nothing was read: the database lacks what the definitions need.', {
    status: 409,
    hint: 'Call migrate, look at its steps, and call it with "apply": true. What it refuses, a person runs at a terminal.',
  });
}
