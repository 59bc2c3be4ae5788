import { TreadleError } from '../../core/errors.ts';
import { findMode } from '../application.ts';
import type { CommandSpec, Invocation } from '../spec.ts';

export const command: CommandSpec = {
  examples: ['treadle mcp'],
  async run(invocation) {
    const root = invocation.root();
    await refuseProduction(invocation);
    const { serve } = await import('../mcp/serve.ts');
    invocation.terminal.say(invocation.terminal.dim(`Serving ${root} to an assistant over standard input and output.`));
    await serve(invocation);
    return { data: undefined };
  },
};

/** @throws MCP_PRODUCTION if the environment or the database counts as production. */
async function refuseProduction(invocation: Invocation): Promise<void> {
  if ((await findMode(invocation)) !== 'production') return;
  throw new TreadleError('MCP_PRODUCTION', 'treadle mcp runs in development only, and this project is in production.', {
    status: 403,
    hint: 'Run it on a copy of the project, without NODE_ENV=production and with a database of its own.',
  });
}
