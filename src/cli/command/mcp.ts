import type { CommandSpec } from '../spec.ts';

export const command: CommandSpec = {
  examples: ['treadle mcp'],
  async run(invocation) {
    const root = invocation.root();
    const { refuseProduction } = await import('../mcp/production.ts');
    await refuseProduction(invocation);
    const { serve } = await import('../mcp/serve.ts');
    invocation.terminal.say(invocation.terminal.dim(`Serving ${root} to an assistant over standard input and output.`));
    await serve(invocation);
    return { data: undefined };
  },
};
