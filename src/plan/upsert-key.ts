import { TreadleError } from '../core/errors.ts';
import { toDidYouMean } from '../core/text/suggest.ts';
import type { Row } from '../database/row-statement.ts';
import { fieldKinds } from '../model/field/field-kind.ts';
import { toCanonicalDecimal } from '../model/field/field-kind-decimal.ts';
import { isRecord } from '../model/json/json-value.ts';
import type { Model, SchemaModel } from '../model/model.ts';
import { listOpenColumns, listRowKeys } from '../model/row-keys.ts';

type Values = Readonly<Record<string, unknown>>;

interface UpsertInput {
  readonly name: unknown;
  readonly key: unknown;
  readonly values: unknown;
  /** Milliseconds since 1970. */
  readonly now: number;
}

interface UpsertParts {
  readonly schema: SchemaModel;
  readonly key: Values;
  readonly values: Values;
  /** The values of the key as answers have them; undefined where one is of a wrong type, so that no row has it. */
  readonly stored: Row | undefined;
}

const invalid = (message: string, hint: string): TreadleError => new TreadleError('UPSERT_INVALID', message, { hint });

function findSchema({ schemas }: Model, name: unknown): SchemaModel {
  const schema = schemas.get(String(name));
  if (schema) return schema;
  throw invalid(`There is no schema "${String(name).slice(0, 64)}".`, toDidYouMean(String(name), schemas.keys()));
}

const toNames = (names: readonly string[]): string => [...names].sort().join();

function checkKey(schema: SchemaModel, key: Values): void {
  const keys = listRowKeys(schema);
  const names = Object.keys(key);
  if (!keys.some((columns) => toNames(columns) === toNames(names))) {
    const shown = names.length === 0 ? 'An empty object' : `"${names.map((name) => name.slice(0, 64)).join(', ')}"`;
    const list = keys.map((columns) => columns.join(' with ')).join('; ');
    const remedy = 'Another column needs "unique" in its field, several together need it in the schema.';
    throw invalid(`${shown} is not a key of ${schema.name}.`, `Keys: ${list}. ${remedy}`);
  }
  const empty = names.find((name) => key[name] === undefined || key[name] === null || key[name] === '');
  if (empty !== undefined)
    throw invalid(`"${empty}" in the key has no value.`, 'Any number of rows may be without a value: give one.');
}

function checkValues(schema: SchemaModel, key: Values, values: Values): void {
  const open = listOpenColumns(schema);
  for (const name of Object.keys(values)) {
    if (Object.hasOwn(key, name))
      throw invalid(`"${name}" is in the key and in the values.`, 'A key stays as it is: change it by an update.');
    if (open.has(name)) continue;
    const own = name === schema.primary ? name : schema.byName.get(name)?.name;
    if (own === name) throw invalid(`"${name}" is set by Treadle.`, `Remove it from the values of ${schema.name}.`);
    const message = `"${name.slice(0, 64)}" is not a column of ${schema.name} that a write sets.`;
    throw invalid(message, own === undefined ? toDidYouMean(name, open) : `Did you mean "${own}"?`);
  }
}

/** A value of the key as answers have it; undefined if no row can have it. */
function toStored({ byName }: SchemaModel, name: string, value: unknown, now: number): string | number | undefined {
  const field = byName.get(name)?.field;
  if (field === undefined) return /^\d{1,15}$/.test(String(value)) && Number(value) > 0 ? Number(value) : undefined;
  const kind = fieldKinds[field.type];
  const coerced = kind.coerce(value, now);
  if ((typeof coerced !== 'string' && typeof coerced !== 'number') || !kind.shape(field).safeParse(coerced).success)
    return undefined;
  // One text for each number: calls of one key wait for each other by it.
  return field.type === 'decimal' ? toCanonicalDecimal(field, String(coerced)) : coerced;
}

/** @throws UPSERT_INVALID for what no call can mean, whoever asks. */
export function checkUpsert(model: Model, { name, key, values, now }: UpsertInput): UpsertParts {
  const schema = findSchema(model, name);
  if (!isRecord(key) || !isRecord(values)) {
    const hint = `Write app.upsert('${schema.name}', { ${schema.primary}: 7 }, { … }).`;
    throw invalid(`The ${isRecord(key) ? 'values are' : 'key is'} not an object.`, hint);
  }
  checkKey(schema, key);
  checkValues(schema, key, values);
  const entries = Object.entries(key).map(([column, value]) => [column, toStored(schema, column, value, now)] as const);
  const isWhole = entries.every(([, value]) => value !== undefined);
  if (!isWhole && Object.hasOwn(key, schema.primary))
    throw invalid(`"${schema.primary}" must be a whole number from 1.`, 'Give the id of a row.');
  return { schema, key, values, stored: isWhole ? Object.fromEntries(entries) : undefined };
}
