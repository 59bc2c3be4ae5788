import { refuseFailure, withApplication } from '../application.ts';
import { type CommandSpec, getText } from '../spec.ts';

export const command: CommandSpec = {
  arguments: [
    { name: 'action', description: 'add or remove', choices: ['add', 'remove'] },
    { name: 'email', description: 'e-mail of the user' },
    { name: 'role', description: 'slug of the role; admin is built in' },
  ],
  isWriting: true,
  examples: ['treadle user role add me@example.org admin', 'treadle user role remove me@example.org editor'],
  run: (invocation) =>
    withApplication(invocation, async (app) => {
      const { values, isDryRun } = invocation;
      const [action, email, role] = [getText(values, 'action'), getText(values, 'email'), getText(values, 'role')];
      const response = isDryRun
        ? await app.emit('auth-detail', { auth_slug: email })
        : await app.emit('auth-role', { auth_slug: email, [action]: role });
      refuseFailure(response, { auth_slug: '<email>', add: '<role>', remove: '<role>' });
      const roles = String(response.getResults('auth_type') ?? '');
      const would = `would ${action} the role ${role} ${action === 'add' ? 'to' : 'from'} ${email}`;
      const done = roles === '' ? `${email} has no role` : `${email} has the roles ${roles.split(',').join(', ')}`;
      return { data: { email, roles, isDryRun }, lines: [isDryRun ? would : done] };
    }),
};
