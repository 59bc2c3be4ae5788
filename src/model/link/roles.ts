import { toDidYouMean } from '../../core/suggest.ts';
import { type Definitions, hasDefinition, toNames } from '../definitions.ts';
import type { Source } from '../parse.ts';
import { APP, GUEST, USER } from '../role.ts';
import { findRoleColumn, type Listed, listRoleColumns, toBareName } from '../role-columns.ts';
import { compileRowShape } from '../row-shape.ts';
import type { Role } from '../shape.ts';
import type { Report } from './report.ts';
import { checkRoleKeys } from './role-keys.ts';
import type { SchemaDraft } from './schemas.ts';

type Drafts = ReadonlyMap<string, SchemaDraft>;

/** A schema with its rows; undefined where one that its rows show could not be read. */
function findListed(name: string, drafts: Drafts): Listed | undefined {
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
