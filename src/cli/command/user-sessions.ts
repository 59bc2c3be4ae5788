import { getResults, refuseFailure, withApplication } from '../application.ts';
import { type CommandSpec, findText, getText, isOn } from '../spec.ts';
import { toTable } from '../terminal.ts';

type Row = Readonly<Record<string, unknown>>;

export const command: CommandSpec = {
  arguments: [{ name: 'email', description: 'e-mail of the user' }],
  options: [
    { name: 'end', value: 'session', description: 'ends the session of this id' },
    { name: 'end-all', description: 'ends all sessions of the user' },
  ],
  isWriting: true,
  examples: ['treadle user sessions me@example.org', 'treadle user sessions me@example.org --end-all'],
  run: (invocation) =>
    withApplication(invocation, async (app) => {
      const { values, isDryRun } = invocation;
      const email = getText(values, 'email');
      const session = findText(values, 'end');
      if ((session !== undefined || isOn(values, 'end-all')) && !isDryRun) {
        const stage = { auth_slug: email, ...(session === undefined ? {} : { session }) };
        refuseFailure(await app.emit('auth-session-end', stage), { auth_slug: '<email>', session: '--end' });
      }
      const names = { auth_slug: '<email>' };
      const { rows } = await getResults<{ readonly rows: readonly Row[] }>(
        app,
        'auth-session-search',
        { auth_slug: email },
        names,
      );
      return {
        data: rows,
        lines:
          rows.length === 0
            ? [`${email} has no session.`]
            : toTable(
                rows.map((row) => ['session', 'browser', 'address', 'seen'].map((key) => String(row[key] ?? ''))),
              ),
      };
    }),
};
