import { getResults, withApplication } from '../application.ts';
import { type CommandSpec, getText } from '../spec.ts';
import { toTable } from '../terminal.ts';

export const command: CommandSpec = {
  arguments: [{ name: 'email', description: 'e-mail of the user' }],
  examples: ['treadle user show me@example.org', 'treadle user show me@example.org --json'],
  run: (invocation) =>
    withApplication(invocation, async (app) => {
      const email = getText(invocation.values, 'email');
      const [stage, names] = [{ auth_slug: email }, { auth_slug: '<email>' }];
      const row = await getResults<object>(app, 'auth-detail', stage, names);
      const second = await getResults<SecondFactors>(app, 'auth-second-factor-search', stage, names);
      const shown = Object.entries(row).filter(([, value]) => value !== null && value !== '');
      return {
        data: { ...row, second_factor: second },
        lines: toTable([...shown.map(([key, value]) => [key, String(value)]), ...toLines(second)]),
        next: [`treadle user sessions ${email}`],
      };
    }),
};

interface SecondFactors {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** How many are left. */
  readonly recovery_codes: number;
  readonly devices: readonly unknown[];
}

/** The second factors by name, with their last use; nothing for an account without. */
function toLines({ rows, recovery_codes, devices }: SecondFactors): string[][] {
  if (rows.length === 0) return [];
  const toUse = (used: unknown): string => (used === null ? 'not used yet' : `last used ${used}`);
  return [
    ...rows.map(({ kind, name, used }) => [String(kind), `${name}, ${toUse(used)}`]),
    ['recovery codes', `${recovery_codes} left`],
    ['trusted devices', String(devices.length)],
  ];
}
