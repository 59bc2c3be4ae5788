import { ACTIONS, type Action } from '../../../core/access.ts';
import { toLocalText, translate } from '../../../core/text/translate.ts';
import type { Row } from '../../../database/row-statement.ts';
import type { Definitions } from '../../../model/definitions.ts';
import type { Role, RoleRule } from '../../../model/shape.ts';
import { toPath } from './page.ts';
import { type FormValues, toText } from './read-form.ts';

type RoleData = NonNullable<Role['data']>;

/** What a cell of the matrix says: nothing, yes, no, or a rule with conditions. */
type CellState = '' | 'true' | 'false' | 'rule';

const toState = (rule: RoleRule | undefined): CellState => {
  if (rule === undefined) return '';
  return typeof rule === 'object' ? 'rule' : rule ? 'true' : 'false';
};

/** A rule in a few words: its conditions and columns. */
function toRuleText(rule: RoleRule | undefined): string | undefined {
  if (typeof rule !== 'object') return undefined;
  const { filter, check, read, write } = rule;
  const parts = [
    ...(filter === undefined ? [] : [translate('rows: {filter}', { filter: JSON.stringify(filter) })]),
    ...(check === undefined ? [] : [translate('after: {filter}', { filter: JSON.stringify(check) })]),
    ...(read === undefined ? [] : [translate('reads {columns}', { columns: read.join(', ') })]),
    ...(write === undefined ? [] : [translate('writes {columns}', { columns: write.join(', ') })]),
  ];
  return parts.join('; ') || translate('without conditions');
}

/** Schemas that a role rules already. */
export const listRuledNames = ({ role }: Definitions): ReadonlySet<string> =>
  new Set([...role.values()].flatMap(({ value }) => Object.keys(value.data ?? {})));

/** The matrix of schemas and actions, as a role's page shows it. @param posted Of the form, where it is shown again. */
export function toMatrix(definitions: Definitions, slug: string, data: RoleData, posted?: FormValues): Row[] {
  const ruled = listRuledNames(definitions);
  const names = [...new Set([...definitions.schema.keys(), ...Object.keys(data)])].sort();
  return names.map((schema) => ({
    schema,
    label: toLocalText(definitions.schema.get(schema)?.value.plural ?? schema),
    isMissing: !definitions.schema.has(schema),
    isRuled: ruled.has(schema),
    cells: ACTIONS.map((action) => {
      const rule = data[schema]?.[action];
      const typed = posted === undefined ? toState(rule) : toText((posted[schema] as FormValues | undefined)?.[action]);
      return {
        action,
        name: `data[${schema}][${action}]`,
        text: toRuleText(rule),
        rule: `${toPath('role', 'rule', slug)}/${encodeURIComponent(schema)}/${action}`,
        options: [
          { value: '', label: '–', isTicked: typed === '' },
          { value: 'true', label: translate('yes'), isTicked: typed === 'true' },
          { value: 'false', label: translate('no'), isTicked: typed === 'false' },
          ...(typeof rule === 'object'
            ? [{ value: 'rule', label: translate('some'), isTicked: typed === 'rule' }]
            : []),
        ],
      };
    }),
  }));
}

function readCell(posted: string, before: RoleRule | undefined): RoleRule | undefined {
  if (posted === 'true' || posted === 'false') return posted === 'true';
  return posted === 'rule' && typeof before === 'object' ? before : undefined;
}

const withData = (role: Role, data: RoleData): Role => {
  const { data: _, ...rest } = role;
  return Object.keys(data).length === 0 ? rest : { ...rest, data };
};

/** A role with one rule changed; undefined takes the rule away. */
export function setRule(role: Role, schema: string, action: Action, rule: RoleRule | undefined): Role {
  const { [action]: _, ...others } = role.data?.[schema] ?? {};
  const rules = rule === undefined ? others : { ...others, [action]: rule };
  const { [schema]: __, ...schemas } = role.data ?? {};
  return withData(role, Object.keys(rules).length === 0 ? schemas : { ...schemas, [schema]: rules });
}

/** The role that a posted matrix means. */
export function readMatrix(role: Role, posted: FormValues): Role {
  const before = role.data ?? {};
  const entries = Object.entries(posted).flatMap(([schema, cells]) => {
    const row = (typeof cells === 'object' && cells !== null ? cells : {}) as FormValues;
    const rules = ACTIONS.flatMap((action) => {
      const rule = readCell(toText(row[action]), before[schema]?.[action]);
      return rule === undefined ? [] : [[action, rule] as const];
    });
    // An empty entry closes the schema: it stays as long as the matrix says nothing else of it.
    const isKept = rules.length > 0 || (before[schema] !== undefined && Object.keys(before[schema]).length === 0);
    return isKept ? [[schema, Object.fromEntries(rules)] as const] : [];
  });
  const kept = Object.entries(before).filter(([schema]) => !Object.hasOwn(posted, schema));
  const order = Object.keys(before);
  const rank = (name: string): number => (order.includes(name) ? order.indexOf(name) : order.length);
  const all = [...kept, ...entries].sort(([a], [b]) => rank(a) - rank(b));
  return withData(role, Object.fromEntries(all));
}
