import { refuseFailure, withApplication } from '../application.ts';
import { type CommandSpec, findText, getText } from '../spec.ts';

/** The option for each of the event's values. */
const NAMES = { auth_slug: '--email', profile_name: '--name', auth_type: '--role' };

export const command: CommandSpec = {
  options: [
    { name: 'email', value: 'email', description: 'e-mail to log in with', isRequired: true },
    { name: 'name', value: 'text', description: 'name of the profile', isRequired: true },
    { name: 'role', value: 'slug', description: 'slug of a role' },
  ],
  isWriting: true,
  examples: [
    'treadle user invite --email ada@example.org --name Ada',
    'treadle user invite --email ada@example.org --name Ada --role admin',
  ],
  async run(invocation) {
    const { values, isDryRun } = invocation;
    const email = getText(values, 'email');
    if (isDryRun) return { data: { email, isDryRun }, lines: [`would invite ${email}`] };
    return withApplication(invocation, async (app) => {
      const role = findText(values, 'role');
      const stage = { auth_slug: email, profile_name: getText(values, 'name') };
      const response = await app.emit('auth-invite', { ...stage, ...(role === undefined ? {} : { auth_type: role }) });
      refuseFailure(response, NAMES);
      return {
        data: response.getResults(),
        lines: [`created the user ${email}; the server mails a link to choose a password`],
        next: [`treadle user show ${email}`],
      };
    });
  },
};
