import { refuseFailure, withApplication } from '../application.ts';
import { type CommandSpec, getText } from '../spec.ts';

export const command: CommandSpec = {
  arguments: [
    { name: 'action', description: 'remove', choices: ['remove'] },
    { name: 'email', description: 'e-mail of the user' },
  ],
  isWriting: true,
  examples: ['treadle user second-factor remove me@example.org'],
  run: (invocation) =>
    withApplication(invocation, async (app) => {
      const { values, isDryRun } = invocation;
      const email = getText(values, 'email');
      const event = isDryRun ? 'auth-detail' : 'auth-second-factor-remove';
      refuseFailure(await app.emit(event, { auth_slug: email }), { auth_slug: '<email>' });
      const done = `${email} logs in with the password alone; app, passkeys, recovery codes and trusted devices are removed`;
      const lines = [isDryRun ? `would remove the second factors of ${email}` : done];
      return { data: { email, isDryRun }, lines, next: isDryRun ? [] : [`treadle user sessions ${email} --end-all`] };
    }),
};
