import { refuseFailure, withApplication } from '../application.ts';
import { type CommandSpec, getText } from '../spec.ts';

export const command: CommandSpec = {
  arguments: [{ name: 'email', description: 'e-mail of the user' }],
  isWriting: true,
  examples: ['treadle user enable somebody@example.org'],
  async run(invocation) {
    const email = getText(invocation.values, 'email');
    return withApplication(invocation, async (app) => {
      const event = invocation.isDryRun ? 'auth-detail' : 'auth-restore';
      refuseFailure(await app.emit(event, { auth_slug: email }), { auth_slug: '<email>' });
      return {
        data: { email, isDryRun: invocation.isDryRun },
        lines: [invocation.isDryRun ? `would enable ${email}` : `${email} can log in again`],
      };
    });
  },
};
