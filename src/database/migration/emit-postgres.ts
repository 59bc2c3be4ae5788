import type { MigrationStep } from '../migration-step.ts';
import type { ActualTable } from '../structure.ts';
import { quote, toLiteral } from '../table-sql.ts';
import type { ColumnChange, Part } from './compare-column.ts';
import { keepValuesStep } from './convert-step.ts';
import { type Storage, toStorage } from './convert-value.ts';
import { createCopySql, keepEmptySql, toCastType, writeKeptSql } from './copy-sql.ts';

/** Cast expression for a column. @see https://www.postgresql.org/docs/current/sql-altertable.html */
function castSql(name: string, from: Storage, to: Storage, type: string): string {
  const plain = toCastType(type);
  if (to === 'json') return from === 'text' ? `${name}::jsonb` : `to_jsonb(${name})`;
  if (from === 'json') return to === 'text' ? `${name}::text` : `(${name} #>> '{}')::${plain}`;
  return `${name}::${plain}`;
}

/** Whether values are converted before the cast, in the old type, because only that can hold them all. */
function isBefore(from: Storage, to: Storage): boolean {
  if (from === to) return true;
  const isNumber = (storage: Storage): boolean => storage === 'integer' || storage === 'real';
  return ((from === 'text' || from === 'json') && to !== 'text') || (isNumber(from) && isNumber(to));
}

/** Whether neither type has room for all values of both: decimals are bounded by their digits. */
function needsRoom(from: Storage, to: Storage): boolean {
  if (to === 'numeric') return from === 'integer' || from === 'real' || from === 'numeric';
  return from === 'numeric' && to === 'integer';
}

function laterSql(from: Storage, to: Storage): string {
  if (from === to) return 'kept.later';
  if (from === 'text') return 'kept.later::text';
  return from === 'json' ? 'to_jsonb(kept.later)' : 'kept.later';
}

/** Lets no other transaction write a value that the statements after it would not see. */
const lockSql = ({ name }: ActualTable): string => `lock table ${quote(name)} in share row exclusive mode`;

function createTypeStep(change: ColumnChange, part: Part, actual: ActualTable): MigrationStep {
  const { column, from } = change;
  const [old, wanted] = [toStorage(from.type), toStorage(column.type)];
  const table = `alter table ${quote(actual.name)}`;
  const name = quote(from.name);
  const { copy, conversion } = part;
  const shape = { copy: copy ?? '', table: actual, former: from.type, later: column.type };
  const isBeforehand = isBefore(old, wanted);
  const write =
    copy === undefined
      ? []
      : [writeKeptSql(actual, from.name, copy, isBeforehand ? laterSql(old, wanted) : 'kept.later')];
  const isCast = old !== wanted || (wanted === 'numeric' && from.type !== column.type);
  const isDefault = isCast && from.default !== undefined;
  const toType = (type: string): string =>
    `${table} alter column ${name} type ${type} using ${castSql(name, old, wanted, type)}`;
  const drop = isDefault ? [`${table} alter column ${name} drop default`] : [];
  const reset =
    isDefault && column.default !== undefined
      ? [`${table} alter column ${name} set default ${toLiteral(column.default)}`]
      : [];
  const isLoose = isCast && copy !== undefined && needsRoom(old, wanted);
  // Without bounds, the column has room for the former values and for the later ones.
  const room = isLoose ? [`${table} alter column ${name} type numeric using ${name}::numeric`] : [];
  const cast = isCast ? [toType(column.type)] : [];
  const changes = isLoose ? [...room, ...write, ...cast] : isBeforehand ? [...write, ...cast] : [...cast, ...write];
  const lines = [...drop, ...changes, ...reset];
  if (conversion === undefined) return { ...part.step, sql: lines };
  const before = [lockSql(actual), ...(copy === undefined ? [] : [createCopySql(shape, 'postgres')])];
  return keepValuesStep(part.step, { before, after: lines, conversion, copy });
}

function createRequiredStep({ column, from }: ColumnChange, part: Part, actual: ActualTable): MigrationStep {
  const table = quote(actual.name);
  const name = quote(from.name);
  if (!column.isRequired) return { ...part.step, sql: [`alter table ${table} alter column ${name} drop not null`] };
  const { copy, fill, step } = part;
  const set = from.isRequired ? [] : [`alter table ${table} alter column ${name} set not null`];
  if (copy === undefined || fill === undefined) return { ...step, sql: set };
  const shape = { copy, table: actual, former: column.type, later: column.type };
  const update = `update ${table} set ${name} = ${toLiteral(fill)} where ${name} is null`;
  const keep = [createCopySql(shape, 'postgres'), keepEmptySql(shape, from.name, fill, 'postgres')];
  return { ...step, sql: [lockSql(actual), ...keep, update, ...set] };
}

export interface PostgresSteps {
  readonly alter: readonly MigrationStep[];
  /** Foreign keys, added once every table has its future name. */
  readonly keys: readonly MigrationStep[];
}

/** The steps of one column: first drop what is in the way, then convert values, then add constraints. */
export function createPostgresSteps(change: ColumnChange, actual: ActualTable, keySql: string): PostgresSteps {
  const { column, from, parts } = change;
  const find = (aspect: Part['aspect']): Part[] => parts.filter((part) => part.aspect === aspect);
  const table = `alter table ${quote(actual.name)}`;
  const drop = from.key === undefined ? [] : [`${table} drop constraint ${quote(from.key)}`];
  const references = find('reference').map(({ step }) => step);
  const isLed = column.references !== undefined;
  const loose = references
    .filter(() => drop.length > 0)
    .map((step) => ({
      ...step,
      words: isLed ? `${step.words.slice(0, -1)}: its former constraint is dropped.` : step.words,
      sql: drop,
    }));
  const required = find('required').map((part) => createRequiredStep(change, part, actual));
  const values = [...find('type'), ...find('values')].map((part) => createTypeStep(change, part, actual));
  const defaults = find('default').map(({ step }) => {
    const value = column.default;
    const rule = value === undefined ? 'drop default' : `set default ${toLiteral(value)}`;
    return { ...step, sql: [`${table} alter column ${quote(from.name)} ${rule}`] };
  });
  const isLoosened = !column.isRequired;
  return {
    alter: [...loose, ...(isLoosened ? required : []), ...values, ...(isLoosened ? [] : required), ...defaults],
    keys: isLed ? references.map((step) => ({ ...step, kind: 'add-key' as const, sql: [keySql] })) : [],
  };
}
