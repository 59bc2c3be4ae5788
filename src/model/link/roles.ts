import type { Action } from '../../core/access.ts';
import { toDidYouMean } from '../../core/text/suggest.ts';
import { type Definitions, hasDefinition, toNames } from '../definitions.ts';
import type { Source } from '../parse.ts';
import { ADMIN, APP, GUEST, USER } from '../role/role.ts';
import { findRoleColumn, type ListedSchema, listRoleColumns, toBareName } from '../role/role-columns.ts';
import { compileRowShape } from '../row-shape.ts';
import type { Role } from '../shape.ts';
import type { Report } from './report.ts';
import type { SchemaDraft } from './schemas.ts';

const WRITING: readonly string[] = ['create', 'update', 'import'] satisfies Action[];
const REASONS = {
  write: 'no request sends columns with it',
  check: 'it leaves the columns of a row as they are',
} as const;

/** Names the parts of a role's rules that change nothing. */
function checkRoleKeys(source: Source<Role>, report: Report): void {
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

type Drafts = ReadonlyMap<string, SchemaDraft>;

/** A schema with its rows; undefined where one that its rows show could not be read. */
function findListed(name: string, drafts: Drafts): ListedSchema | undefined {
  const draft = drafts.get(name);
  if (!draft?.relations.every(({ target }) => drafts.has(target))) return undefined;
  return { ...draft, row: compileRowShape(draft, (other) => drafts.get(other)) };
}

/** Checks the schemas and columns that a role names. */
function checkData(source: Source<Role>, definitions: Definitions, drafts: Drafts, report: Report): void {
  for (const [schema, actions] of Object.entries(source.value.data ?? {})) {
    if (!hasDefinition(definitions, 'schema', schema)) {
      const message = `The role "${source.value.slug}" names the schema "${schema}", which does not exist.`;
      const hint = toDidYouMean(schema, toNames(definitions, 'schema'));
      report.add(source, ['data', schema], { code: 'MODEL_ROLE_SCHEMA', message, hint });
      continue;
    }
    const listed = findListed(schema, drafts);
    if (!listed) continue;
    for (const [action, rule] of Object.entries(actions)) {
      if (typeof rule !== 'object') continue;
      for (const list of ['read', 'write'] as const) {
        const all = listRoleColumns(listed, list);
        for (const [index, entry] of (rule[list] ?? []).entries()) {
          if (entry === '*' || findRoleColumn(listed, all, toBareName(entry)) !== undefined) continue;
          const message = `"${toBareName(entry)}" is not a column of "${schema}".`;
          const hint = toDidYouMean(toBareName(entry), [...listed.byName.keys(), ...all]);
          report.add(source, ['data', schema, action, list, index], { code: 'MODEL_ROLE_COLUMN', message, hint });
        }
      }
    }
  }
}

/** Only a role that accounts are given can wait for their second factor. */
function checkFactor(source: Source<Role>, report: Report): void {
  const { slug, secondFactor } = source.value;
  if (secondFactor !== 'required' || ![GUEST, USER, APP].includes(slug)) return;
  const message = `The role "${slug}" cannot require a second factor: nobody is given it.`;
  const hint = 'Require it in a role of your own, or in "admin".';
  report.add(source, ['secondFactor'], { code: 'MODEL_ROLE_FACTOR', message, hint });
}

/** The roles by slug. */
export function linkRoles(definitions: Definitions, drafts: Drafts, report: Report): Map<string, Role> {
  for (const source of definitions.role.values()) {
    checkData(source, definitions, drafts, report);
    checkFactor(source, report);
    checkRoleKeys(source, report);
  }
  return new Map([...definitions.role.values()].map(({ value }) => [value.slug, value] as const));
}
