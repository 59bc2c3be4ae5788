import { refuseFailure, withApplication } from '../application.ts';
import { type CommandSpec, getText } from '../spec.ts';

export const command: CommandSpec = {
  arguments: [{ name: 'email', description: 'e-mail of the user' }],
  isWriting: true,
  examples: ['treadle user disable somebody@example.org'],
  async run(invocation) {
    const email = getText(invocation.values, 'email');
    return withApplication(invocation, async (app) => {
      const event = invocation.isDryRun ? 'auth-detail' : 'auth-remove';
      refuseFailure(await app.emit(event, { auth_slug: email }));
      const line = `${email} can no longer log in; all sessions and tokens have ended`;
      return {
        data: { email, isDryRun: invocation.isDryRun },
        lines: [invocation.isDryRun ? `would disable ${email}` : line],
      };
    });
  },
};
