import { type Application, getResults, withApplication } from '../application.ts';
import { type CommandSpec, findText, isOn } from '../spec.ts';
import { toTable } from '../terminal.ts';

/** Number of users that are read at once. */
const PAGE = 100;

type Row = Readonly<Record<string, unknown>>;

export const command: CommandSpec = {
  options: [
    { name: 'q', value: 'text', description: 'part of the e-mail' },
    { name: 'all', description: 'includes disabled users' },
  ],
  examples: ['treadle user list', 'treadle user list --all --json'],
  async run(invocation) {
    const { values } = invocation;
    const stage = { q: findText(values, 'q') ?? '', filter: { auth_active: isOn(values, 'all') ? 'any' : '1' } };
    const rows = await withApplication(invocation, (app) => readUsers(app, stage));
    const text = (row: Row, key: string): string => String(row[key] ?? '');
    return {
      data: rows,
      lines:
        rows.length === 0
          ? ['No users yet.']
          : toTable(
              rows.map((row) => [
                text(row, 'auth_id'),
                text(row, 'auth_slug'),
                text(row, 'profile_name'),
                text(row, 'auth_type'),
                [
                  ...(Number(row.auth_active) === 1 ? [] : ['disabled']),
                  ...(Number(row.auth_verified) === 1 ? [] : ['not verified']),
                ].join(', '),
              ]),
            ),
      next: rows.length === 0 ? ['treadle user create --email me@example.org --name Me'] : [],
    };
  },
};

async function readUsers(app: Application, stage: Row): Promise<Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const params = { ...stage, limit: PAGE, offset: rows.length };
    const { rows: page = [] } = await getResults<{ readonly rows?: Row[] }>(app, 'auth-search', params);
    rows.push(...page);
    if (page.length < PAGE) return rows;
  }
}
