import { refuseFailure, withApplication } from '../application.ts';
import { type CommandSpec, getText } from '../spec.ts';
import { toTable } from '../terminal.ts';

export const command: CommandSpec = {
  arguments: [{ name: 'email', description: 'e-mail of the user' }],
  examples: ['treadle user show me@example.org', 'treadle user show me@example.org --json'],
  run: (invocation) =>
    withApplication(invocation, async (app) => {
      const email = getText(invocation.values, 'email');
      const response = await app.emit('auth-detail', { auth_slug: email });
      refuseFailure(response, { auth_slug: '<email>' });
      const row = response.getResults() as Readonly<Record<string, unknown>>;
      const shown = Object.entries(row).filter(([, value]) => value !== null && value !== '');
      return {
        data: row,
        lines: toTable(shown.map(([key, value]) => [key, String(value)])),
        next: [`treadle user sessions ${email}`],
      };
    }),
};
