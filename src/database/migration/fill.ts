import { systemRandom, toStamp } from '../../core/clock.ts';
import { TreadleError } from '../../core/errors.ts';
import { systemPasswords } from '../../core/secret/password.ts';
import { fieldKinds } from '../../model/field/field-kind.ts';
import { readFieldText } from '../../model/json/json-value.ts';
import type { Field } from '../../model/shape.ts';
import { toStoredDecimal } from '../stored-decimal.ts';
import type { Table, TableColumn } from '../table.ts';
import { findScale } from '../table-default.ts';
import { type PlanContext, toColumnPath } from './context.ts';

function refuse(path: string, text: string, rule: string): never {
  throw new TreadleError('MIGRATION_DEFAULT_INVALID', `--default ${path}=${text}: the value ${rule}.`, {
    status: 400,
    hint: 'Give another value.',
  });
}

/** A field's value in stored form. @throws MIGRATION_DEFAULT_INVALID */
async function readField(
  field: Field,
  text: string,
  path: string,
  { now, dialect }: PlanContext,
): Promise<string | number> {
  const kind = fieldKinds[field.type];
  const value = kind.coerce(readFieldText(field.type, text), now);
  if (value === null || value === undefined || !kind.shape(field).safeParse(value).success) {
    return refuse(path, text, kind.expects(field));
  }
  const isPlain = kind.isSystem || kind.group === 'file';
  const stored = isPlain
    ? value
    : await kind.prepare(value, { now, random: systemRandom, passwords: systemPasswords }, field);
  const scale = findScale(field);
  const made = scale === undefined ? stored : toStoredDecimal(stored, scale, dialect);
  return typeof made === 'string' || typeof made === 'number' ? made : refuse(path, text, kind.expects(field));
}

async function readKey(column: TableColumn, text: string, path: string, context: PlanContext): Promise<number> {
  const { references } = column;
  const id = Number(text);
  if (!Number.isSafeInteger(id)) return refuse(path, text, 'must be the number of a row');
  const target = references && context.findTable(references.table);
  const key = references && context.findColumn(references.table, references.column);
  const isThere = target !== undefined && key !== undefined && (await context.counter.has(target, key, id));
  return references === undefined || isThere
    ? id
    : refuse(path, text, `is the number of no row of ${references.table}`);
}

/**
 * The value for rows without one in a required column: from `--default`, else the field's own default.
 * @throws MIGRATION_DEFAULT_INVALID if the field does not accept the value of `--default`.
 */
export async function findFill(
  table: Table,
  column: TableColumn,
  context: PlanContext,
): Promise<string | number | undefined> {
  const given = context.findDefault(table, column);
  const path = toColumnPath(table, column);
  const field = column.field === undefined ? undefined : { name: column.name, ...column.field };
  if (given !== undefined) {
    if (field !== undefined) return readField(field, given, path, context);
    if (column.references !== undefined) return readKey(column, given, path, context);
    return /int|real|double/i.test(column.type) ? Number(given) : given;
  }
  if (column.fill !== 'NOW()' || field === undefined) return column.fill;
  const now = fieldKinds[field.type].coerce('NOW()', context.now);
  return typeof now === 'string' && now !== 'NOW()' ? now : toStamp(context.now);
}
