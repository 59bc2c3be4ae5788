import { getAccess, hidesRows } from '../../core/access.ts';
import type { Refusal } from '../../core/request/response.ts';
import { noteRule } from '../../core/text/rule-note.ts';
import { toLocalText, translate } from '../../core/text/translate.ts';
import type { Database } from '../../database/database.ts';
import type { Row } from '../../database/row-statement.ts';
import type { ExcludeModel, SchemaModel } from '../../model/model.ts';
import { toOverlapMessage } from '../../model/period-message.ts';
import type { Context } from '../../plan/feature.ts';
import { getSearcher } from '../../store/read/searcher.ts';
import { findActiveHolder, readColumns } from '../../store/write/row-sql.ts';

/** The id of a row, if the caller may see the row. */
async function findVisible(
  { plan, services }: Context,
  { name }: SchemaModel,
  id: number,
): Promise<number | undefined> {
  const grant = getAccess().grant(name, 'detail');
  if (grant === undefined || !hidesRows(grant.rows)) return grant && id;
  const reached = await getSearcher(plan.model).reached(services.database, name, [id], grant.rows);
  return reached.has(id) ? id : undefined;
}

/** True for those who may look at any removed row: the administrators, and work of the system. */
const seesRemoved = (): boolean => {
  const { kind, roles } = getAccess();
  return kind === 'system' || roles.includes('admin');
};

/**
 * What to add to the message of a taken value: that a removed row has it, and how it goes. Only where the database has not got the
 * index yet that lets it go, and for those who may see the row.
 */
export async function describeFormer(
  database: Database,
  schema: SchemaModel,
  { name, value }: { readonly name: string; readonly value: unknown },
): Promise<string> {
  if (schema.active === undefined || !seesRemoved()) return '';
  const columns = [schema.primary, schema.active];
  const holder = await readColumns(database, schema, { column: name, value }, columns);
  if (holder?.[schema.active] !== 0) return '';
  const words = { singular: toLocalText(schema.singular), id: String(holder[schema.primary]) };
  return translate(' by {singular} {id}, which is removed: run treadle migrate to free it', words);
}

/** Columns whose values are unique together, or one, or a period that is free, and what to say if another row has them. */
interface Rule {
  /** Without a value in one of these no other row has them. */
  readonly columns: readonly string[];
  readonly range: ExcludeModel['range'] | undefined;
  /** Where the message stands. */
  readonly beside: readonly string[];
  /** @param other The other row, as `Person 5`; undefined if the caller may not see it. */
  readonly describe: (other: string | undefined) => string;
}

const describeColumn = (label: string) => (other: string | undefined) =>
  other === undefined
    ? translate('another row has the same {column} now', { column: label })
    : translate('{row} has the same {column} now', { row: other, column: label });

const describeText =
  (text: string) =>
  (other: string | undefined): string =>
    other === undefined ? text : `${text} (${other})`;

const listRules = (schema: SchemaModel): readonly Rule[] => [
  ...schema.columns
    .filter(({ isUnique }) => isUnique)
    .map(({ name, label }): Rule => {
      const describe = describeColumn(toLocalText(label));
      return { columns: [name], range: undefined, beside: [name], describe };
    }),
  ...schema.unique.map(({ columns, message }): Rule => {
    return { columns, range: undefined, beside: columns, describe: describeText(toLocalText(message)) };
  }),
  ...schema.exclude.map((rule): Rule => {
    const { columns, range } = rule;
    return { columns, range, beside: [range[0]], describe: describeText(toOverlapMessage(schema, rule)) };
  }),
];

/** Why a row's values of a rule are taken; undefined if they are free. */
async function describeRule(context: Context, schema: SchemaModel, rule: Rule, row: Row): Promise<string | undefined> {
  if (rule.columns.some((name) => row[name] === null || row[name] === undefined)) return undefined;
  const values = Object.fromEntries(rule.columns.map((name) => [name, row[name]]));
  const period = rule.range && { range: rule.range, values: row };
  const holder = await findActiveHolder(context.services.database, schema, values, period);
  if (holder === undefined) return undefined;
  const other = await findVisible(context, schema, holder);
  return rule.describe(other === undefined ? undefined : `${toLocalText(schema.singular)} ${other}`);
}

/** Why a removed row cannot be restored: active rows have its unique values or its period. Names those that the caller may see. */
export async function explainConflict(context: Context, schema: SchemaModel, id: number): Promise<Refusal> {
  const { database } = context.services;
  const rules = listRules(schema);
  const by = { column: schema.primary, value: id };
  const columns = new Set(rules.flatMap(({ columns: own, range = [] }) => [...own, ...range]));
  const row = (await readColumns(database, schema, by, [schema.primary, ...columns])) ?? {};
  const validation: Record<string, string> = {};
  const reasons: string[] = [];
  for (const rule of rules) {
    const reason = await describeRule(context, schema, rule, row);
    if (reason === undefined) continue;
    reasons.push(reason);
    for (const name of rule.beside) validation[name] ??= noteRule(reason, { rule: rule.range ? 'overlap' : 'taken' });
  }
  if (reasons.length === 0) reasons.push(translate('another row has one of its unique values now'));
  const words = { singular: toLocalText(schema.singular), id: String(id), reasons: reasons.join('; ') };
  return {
    status: 409,
    message: translate('{singular} {id} cannot be restored: {reasons}.', words),
    validation,
    code: 'VALUE_TAKEN',
  };
}
