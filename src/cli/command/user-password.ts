import { refuseFailure, withApplication } from '../application.ts';
import { readPassword } from '../question/password.ts';
import { type CommandSpec, getText } from '../spec.ts';

export const command: CommandSpec = {
  arguments: [{ name: 'email', description: 'e-mail of the user' }],
  isWriting: true,
  examples: ['treadle user password me@example.org', 'echo "a long password" | treadle user password me@example.org'],
  async run(invocation) {
    const email = getText(invocation.values, 'email');
    if (invocation.isDryRun) {
      return withApplication(invocation, async (app) => {
        refuseFailure(await app.emit('auth-detail', { auth_slug: email }), { auth_slug: '<email>' });
        return { data: { email, isDryRun: true }, lines: [`would change the password of ${email}`] };
      });
    }
    const password = await readPassword(invocation);
    return withApplication(invocation, async (app) => {
      const response = await app.emit('auth-reset', { auth_slug: email, auth_password: password });
      refuseFailure(response, { auth_slug: '<email>', auth_password: 'The password' });
      return { data: { email }, lines: [`changed the password of ${email}; all sessions have ended`] };
    });
  },
};
