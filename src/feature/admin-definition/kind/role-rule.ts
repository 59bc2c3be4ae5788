import { ACTIONS, type Action } from '../../../core/access.ts';
import { toLocalText, translate } from '../../../core/text/translate.ts';
import type { Row } from '../../../database/row-statement.ts';
import type { SchemaModel } from '../../../model/model.ts';
import { findRoleColumn, listRoleColumns, toBareName } from '../../../model/role/role-columns.ts';
import type { Role, RoleRule } from '../../../model/shape.ts';
import type { Exchange } from '../../../page/exchange.ts';
import type { Context } from '../../../plan/feature.ts';
import { toStatus } from '../outcome.ts';
import { toState } from '../save.ts';
import { findWriteRefusal } from '../write-right.ts';
import type { FormFacts } from './control.ts';
import { type MapRow, readMap, toMapRows } from './map-rows.ts';
import { readFacts, showKind, toPath } from './page.ts';
import { type FormValues, readRows, toEntries, toText } from './read-form.ts';
import { leadAfter, saveRules } from './role-data.ts';
import { setRule } from './role-matrix.ts';
import { findRole } from './role-page.ts';

type RowRule = Exclude<RoleRule, boolean>;
type List = 'read' | 'write';

/** How a rule names columns: all, some, all but some, or a list that the form leaves as it is. */
type Mode = 'all' | 'only' | 'but' | 'keep';

interface Cell {
  readonly role: Role;
  readonly schema: SchemaModel;
  readonly action: Action;
  readonly rule: RoleRule | undefined;
}

/** The name by which a form writes a column: the field's own, where it has one. */
const toName = ({ byName }: SchemaModel, column: string): string => byName.get(column)?.field.name ?? column;

function toMode(names: readonly string[] | undefined): Mode {
  if (names === undefined) return 'all';
  const isBut = (name: string): boolean => name === '*' || name.startsWith('-');
  if (names.length > 0 && names.every(isBut)) return 'but';
  return names.some(isBut) ? 'keep' : 'only';
}

/** The columns that a list names, with or without `-`. */
function listNamedColumns(schema: SchemaModel, list: List, names: readonly string[] = []): Set<string> {
  const all = listRoleColumns(schema, list);
  return new Set(names.flatMap((name) => findRoleColumn(schema, all, toBareName(name)) ?? []));
}

const isSame = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean =>
  a.size === b.size && [...a].every((each) => b.has(each));

/** The list of columns that a form means; the stored one where it says the same. */
function readColumns(
  schema: SchemaModel,
  list: List,
  posted: FormValues,
  before: string[] | undefined,
): string[] | undefined {
  const mode = toText(posted[`${list}_mode`]);
  if (mode === 'keep') return before;
  if (mode !== 'only' && mode !== 'but') return undefined;
  const ticked = new Set(toEntries(posted[list] ?? posted[`${list}[]`]).map(String));
  if (mode === toMode(before) && isSame(ticked, listNamedColumns(schema, list, before))) return before;
  const names = [...listRoleColumns(schema, list)]
    .filter((name) => ticked.has(name))
    .map((name) => toName(schema, name));
  if (mode === 'only') return names;
  return names.length === 0 ? undefined : ['*', ...names.map((name) => `-${name}`)];
}

/** Whether a form has conditions that only a rule for some rows or columns can keep. */
function hasConditions(posted: FormValues): boolean {
  const rows = [...toEntries(posted.filter), ...toEntries(posted.check)] as FormValues[];
  const isColumns = (list: List): boolean => !['', 'all'].includes(toText(posted[`${list}_mode`]));
  return rows.some((row) => toText(row.key) !== '') || isColumns('read') || isColumns('write');
}

function readRule(
  schema: SchemaModel,
  posted: FormValues,
  before: RoleRule | undefined,
): { rule?: RoleRule; fault?: string } {
  const state = toText(posted.state);
  if (state !== 'rule' && typeof before !== 'object' && hasConditions(posted)) {
    return { fault: translate('Choose "Some rows or columns" for these conditions, or empty them.') };
  }
  if (state === '') return {};
  if (state === 'true' || state === 'false') return { rule: state === 'true' };
  const old: RowRule = typeof before === 'object' ? before : {};
  const filter = readMap(readRows(posted.filter, ['key', 'value'] as const) as MapRow[], old.filter);
  const check = readMap(readRows(posted.check, ['key', 'value'] as const) as MapRow[], old.check);
  const error = filter.fault ?? check.fault;
  if (error !== undefined) return { fault: error };
  const read = readColumns(schema, 'read', posted, old.read);
  const write = readColumns(schema, 'write', posted, old.write);
  return {
    rule: {
      ...(Object.keys(filter.map).length === 0 ? {} : { filter: { ...filter.map } }),
      ...(Object.keys(check.map).length === 0 ? {} : { check: { ...check.map } }),
      ...(read === undefined ? {} : { read }),
      ...(write === undefined ? {} : { write }),
    },
  };
}

const SPARE = 2;

const toRowViews = (rows: readonly MapRow[], isMore: boolean): Row[] =>
  [...rows, ...Array.from({ length: isMore ? SPARE * 2 : SPARE }, () => ({ key: '', value: '' }))].map(
    (row, index) => ({
      ...row,
      index,
      number: index + 1,
    }),
  );

function toColumnsView(
  schema: SchemaModel,
  list: List,
  mode: string,
  named: ReadonlySet<string>,
  before?: readonly string[],
): Row {
  return {
    list,
    title: list === 'read' ? translate('Columns that it reads') : translate('Columns that a request may write'),
    modes: [
      { value: 'all', label: translate('all'), isTicked: mode === 'all' || mode === '' },
      { value: 'only', label: translate('only these'), isTicked: mode === 'only' },
      { value: 'but', label: translate('all but these'), isTicked: mode === 'but' },
      ...(toMode(before) === 'keep'
        ? [{ value: 'keep', label: (before ?? []).join(', '), isTicked: mode === 'keep' }]
        : []),
    ],
    columns: [...listRoleColumns(schema, list)].map((column) => ({
      value: column,
      label: toLocalText(schema.byName.get(column)?.label ?? ''),
      name: toName(schema, column),
      isTicked: named.has(column),
    })),
  };
}

/** What the form shows: of the stored rule, or of the posted form. */
function toForm({ schema, rule }: Cell, posted: FormValues | undefined): Row {
  const stored: RowRule = typeof rule === 'object' ? rule : {};
  const state = rule === undefined ? '' : typeof rule === 'object' ? 'rule' : String(rule);
  const more = toText(posted?.more);
  const pick = (list: List): Row => {
    const mode = posted === undefined ? toMode(stored[list]) : toText(posted[`${list}_mode`]);
    const named =
      posted === undefined
        ? listNamedColumns(schema, list, stored[list])
        : new Set(toEntries(posted[list] ?? posted[`${list}[]`]).map(String));
    return toColumnsView(schema, list, mode, named, stored[list]);
  };
  const rows = (key: 'filter' | 'check'): Row[] => {
    const typed = posted === undefined ? toMapRows(stored[key]) : readRows(posted[key], ['key', 'value'] as const);
    const filled = typed.filter((row) => row.key !== '' || row.value !== '');
    return toRowViews(filled, more === key);
  };
  const given = posted === undefined ? state : toText(posted.state);
  return {
    states: [
      { value: '', label: translate('Says nothing'), hint: translate('Another role may allow it.') },
      { value: 'true', label: translate('Every row, every column'), hint: '' },
      { value: 'rule', label: translate('Some rows or columns'), hint: translate('As set below.') },
      {
        value: 'false',
        label: translate('Nothing, said on purpose'),
        hint: translate('Another role may still allow it.'),
      },
    ].map((each) => ({ ...each, isTicked: each.value === given })),
    filters: [
      { key: 'filter', label: translate('Rows that it reaches'), rows: rows('filter') },
      { key: 'check', label: translate('What a row must match after a write'), rows: rows('check') },
    ],
    lists: [pick('read'), pick('write')],
    columns: [...schema.row.stored].map((value) => ({ value })),
  };
}

/** The cell of a path; undefined after another answer. */
function findCell(context: Context, exchange: Exchange, facts: FormFacts): Cell | undefined {
  const role = findRole(context, exchange, facts);
  if (role === undefined) return undefined;
  const action = ACTIONS.find((each) => each === exchange.request.getParameters('action'));
  const schema = context.plan.model.schemas.get(exchange.request.getParameters('schema') ?? '');
  if (action === undefined || schema === undefined) {
    exchange.response.setStatus(404);
    const text = translate('There is no such schema or action.');
    showKind(context, exchange, { kind: 'role', name: 'missing', title: translate('Not found'), data: { text } });
    return undefined;
  }
  return { role, schema, action, rule: role.data?.[schema.name]?.[action] };
}

async function showCell(
  context: Context,
  exchange: Exchange,
  facts: FormFacts,
  cell: Cell,
  more: Row & { posted?: FormValues } = {},
) {
  const { role, schema, action } = cell;
  const { posted, ...data } = more;
  showKind(context, exchange, {
    kind: 'role',
    name: 'role-rule',
    title: translate('{role}: {action} {schema}', { role: role.name, action, schema: schema.plural }),
    of: role.slug,
    data: {
      id: role.slug,
      action: `${toPath('role', 'rule', role.slug)}/${encodeURIComponent(schema.name)}/${action}`,
      cancel: toPath('role', 'detail', role.slug),
      state: toState(facts.definitions.role.get(role.slug)?.text),
      refusal: await findWriteRefusal(context),
      ...toForm(cell, posted),
      ...data,
    },
  });
}

export async function openRule(context: Context, exchange: Exchange): Promise<void> {
  const facts = await readFacts(context);
  const cell = findCell(context, exchange, facts);
  if (cell !== undefined) await showCell(context, exchange, facts, cell);
}

/** Saves one cell of a role's matrix. */
export async function postRule(context: Context, exchange: Exchange): Promise<void> {
  const facts = await readFacts(context);
  const cell = findCell(context, exchange, facts);
  if (cell === undefined) return;
  const { role, schema, action } = cell;
  const posted = exchange.request.getPost() as FormValues;
  if (toText(posted.more) !== '') return showCell(context, exchange, facts, cell, { posted });
  const { rule, fault } = readRule(schema, posted, cell.rule);
  if (fault !== undefined) {
    exchange.response.setStatus(422);
    return showCell(context, exchange, facts, cell, { posted, fault });
  }
  const changed = setRule(role, schema.name, action, rule);
  const saved = await saveRules(context, exchange, facts, { role: changed, home: exchange.request.getPath('string') });
  if (leadAfter(exchange, role, saved)) return;
  exchange.response.setStatus(saved.data.isAsking === true ? 422 : toStatus(saved.outcome));
  await showCell(context, exchange, facts, cell, { ...saved.data, posted });
}
