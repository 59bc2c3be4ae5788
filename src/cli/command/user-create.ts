import { refuseFailure, withApplication } from '../application.ts';
import { createUsageError } from '../failure.ts';
import { readPassword } from '../question/password.ts';
import { type CommandSpec, findText, getList, getText } from '../spec.ts';

/** The option for each of the event's values. */
const NAMES = { auth_slug: '--email', profile_name: '--name', auth_type: '--role', auth_password: 'The password' };

export const command: CommandSpec = {
  options: [
    { name: 'email', value: 'email', description: 'e-mail to log in with', isRequired: true },
    { name: 'name', value: 'text', description: 'name of the profile', isRequired: true },
    { name: 'role', value: 'slug', description: 'slug of a role' },
    { name: 'set', value: 'column=value', description: 'another column of the profile', isRepeated: true },
  ],
  isWriting: true,
  examples: [
    'treadle user create --email me@example.org --name "Me"',
    'echo "a long password" | treadle user create --email me@example.org --name Me --role admin',
  ],
  async run(invocation) {
    const { values } = invocation;
    const email = getText(values, 'email');
    const columns = readColumns(getList(values, 'set'));
    if (invocation.isDryRun) return { data: { email, isDryRun: true }, lines: [`would create the user ${email}`] };
    const password = await readPassword(invocation);
    return withApplication(invocation, async (app) => {
      const role = findText(values, 'role');
      const response = await app.emit('auth-create', {
        auth_slug: email,
        auth_password: password,
        profile_name: getText(values, 'name'),
        auth_active: 1,
        auth_verified: 1,
        ...(role === undefined ? {} : { auth_type: role }),
        ...columns,
      });
      refuseFailure(response, NAMES);
      return {
        data: response.getResults(),
        lines: [`created the user ${email} (profile ${String(response.getResults('profile_id'))})`],
        next: ['treadle user list'],
      };
    });
  },
};

/** Columns of the profile, each as `column=value`. */
function readColumns(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      if (at > 0) return [pair.slice(0, at), pair.slice(at + 1)];
      throw createUsageError(`--set can't be "${pair}".`, 'Such as --set profile_city=Paris.');
    }),
  );
}
