import { compilePlan, refuseFailure, withApplication } from '../application.ts';
import { readPassword } from '../question/password.ts';
import { type CommandSpec, findText, getList, getText } from '../spec.ts';
import { readUserColumns } from '../user-columns.ts';

/** The option for each of the event's values. */
const NAMES = { auth_slug: '--email', profile_name: '--name', auth_type: '--role', auth_password: 'The password' };

export const command: CommandSpec = {
  options: [
    { name: 'email', value: 'email', description: 'e-mail to log in with', isRequired: true },
    { name: 'name', value: 'text', description: 'name of the profile', isRequired: true },
    { name: 'role', value: 'slug', description: 'slug of a role' },
    {
      name: 'set',
      value: 'column=value',
      description: 'another column of the profile; @path for a file',
      isRepeated: true,
    },
  ],
  isWriting: true,
  examples: [
    'treadle user create --email me@example.org --name "Me"',
    'echo "a long password" | treadle user create --email me@example.org --name Me --role admin',
    'treadle user create --email me@example.org --name Me --set profile_city=Paris --set profile_photo=@me.png',
  ],
  async run(invocation) {
    const { values } = invocation;
    const email = getText(values, 'email');
    const { model } = await compilePlan(invocation);
    const columns = await readUserColumns(model, getList(values, 'set'), invocation.cwd);
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
        lines: [
          `created the user ${String(response.getResults('auth_slug'))} (profile ${String(response.getResults('profile_id'))})`,
        ],
        next: ['treadle user list'],
      };
    });
  },
};
