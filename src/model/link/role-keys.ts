import type { Action } from '../../core/access.ts';
import type { Source } from '../parse.ts';
import { ADMIN } from '../role.ts';
import type { Role } from '../shape.ts';
import type { Report } from './report.ts';

const WRITING: readonly string[] = ['create', 'update', 'import'] satisfies Action[];
const REASONS = {
  write: 'no request sends columns with it',
  check: 'it leaves the columns of a row as they are',
} as const;

/** Names the parts of a role's rules that change nothing. */
export function checkRoleKeys(source: Source<Role>, report: Report): void {
  const { slug, data = {} } = source.value;
  const add = (path: readonly string[], message: string, hint: string) =>
    report.add(source, path, { code: 'MODEL_ROLE_KEY_IDLE', message, hint, severity: 'advice' });
  if (slug === ADMIN && Object.keys(data).length > 0) {
    const message = '"data" gives the role "admin" nothing and takes nothing from it: it reaches every row already.';
    const hint = 'Remove it. It only closes these schemas to everybody else: that needs "data" in another role.';
    add(['data'], message, hint);
  }
  for (const [schema, actions] of Object.entries(data)) {
    for (const [action, rule] of Object.entries(actions)) {
      if (typeof rule !== 'object' || WRITING.includes(action)) continue;
      for (const key of ['write', 'check'] as const) {
        if (rule[key] === undefined) continue;
        const message = `"${key}" has no effect on "${action}" of "${schema}": ${REASONS[key]}.`;
        add(['data', schema, action, key], message, `Move it to ${WRITING.join(', ')}, or remove it.`);
      }
    }
  }
}
