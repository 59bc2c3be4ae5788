import { toStamp } from '../../core/clock.ts';
import { findOwn } from '../../core/record.ts';
import { toDecimalExample } from '../../model/field/field-kind-decimal.ts';
import { hasRow, toEventSample } from '../../model/hook-event.ts';
import { type Json, toValueSchema } from '../../model/json/value-schema.ts';
import type { ColumnModel, HookModel, Model, SchemaModel } from '../../model/model.ts';

const TEXTS: Readonly<Record<string, string>> = {
  email: 'ann@example.org',
  uri: 'https://example.org/page',
  'uri-reference': 'https://example.org/page',
  uuid: '1f0e8c52-7f0a-4b5c-9a53-6f0a1c2d3e4f',
};

/** Values of the types whose text has a pattern: a colour, a week, a month, a country, a range. */
const PATTERNED = ['#3366ff', '2026-W02', '2026-01', 'DE', '1;5'];

const MAX_DEPTH = 4;

function findPatterned(pattern: unknown): string | undefined {
  if (typeof pattern !== 'string') return undefined;
  const shape = new RegExp(pattern);
  return PATTERNED.find((text) => shape.test(text));
}

function sampleText(schema: Json, label: string): string {
  const format = String(schema.format ?? '');
  const [example] = (schema.examples ?? []) as readonly unknown[];
  if (typeof example === 'string') return example;
  const text = findOwn(TEXTS, format) ?? findPatterned(schema.pattern) ?? label;
  const most = typeof schema.maxLength === 'number' ? schema.maxLength : text.length;
  const least = typeof schema.minLength === 'number' ? schema.minLength : 0;
  return text.padEnd(least, '.').slice(0, most);
}

function sampleNumber(schema: Json): number {
  const { minimum, exclusiveMinimum, maximum } = schema;
  const least = typeof minimum === 'number' ? minimum : typeof exclusiveMinimum === 'number' ? exclusiveMinimum + 1 : 1;
  const most = typeof maximum === 'number' ? maximum : Number.MAX_SAFE_INTEGER;
  return Math.min(Math.max(1, least), most);
}

/** As many items as a list must have, and one at least. */
function toItems({ items, minItems }: Json, label: string, depth: number): unknown[] {
  const item = toValue((items ?? {}) as Json, label, depth);
  return Array.from({ length: Math.max(1, Number(minItems ?? 1)) }, () => item);
}

/** A value that fits a JSON Schema of a column. */
function toValue(schema: Json, label: string, depth = 0): unknown {
  if ('const' in schema) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0] ?? null;
  const [first] = (schema.anyOf ?? schema.oneOf ?? []) as readonly Json[];
  if (first !== undefined) return toValue(first, label, depth + 1);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (depth > MAX_DEPTH || type === undefined) return null;
  if (type === 'integer' || type === 'number') return sampleNumber(schema);
  if (type === 'boolean') return true;
  if (type === 'array') return toItems(schema, label, depth + 1);
  if (type !== 'object') return sampleText(schema, label);
  const parts = Object.entries((schema.properties ?? {}) as Readonly<Record<string, Json>>);
  return Object.fromEntries(parts.map(([name, part]) => [name, toValue(part, label, depth + 1)]));
}

const DATES: ReadonlySet<string> = new Set(['datetime', 'created', 'updated', 'date', 'time']);

function toColumnSample(column: ColumnModel, now: number): unknown {
  const { field } = column;
  const stamp = toStamp(now);
  if (DATES.has(field.type)) {
    if (field.type === 'date') return stamp.slice(0, 10);
    return field.type === 'time' ? stamp.slice(11) : stamp;
  }
  if (field.type === 'decimal') return toDecimalExample(field);
  return field.type === 'active' ? 1 : toValue(toValueSchema(column), column.label);
}

function toRow(schema: SchemaModel, now: number): Record<string, unknown> {
  const columns = schema.row.shown.map((column) => [column.name, toColumnSample(column, now)] as const);
  return { [schema.primary]: 1, ...Object.fromEntries(columns) };
}

/** Data that an event of a hook could have, made from its schema; `{"test":true}` for a hook of no schema. */
export function createSampleData(hook: HookModel, model: Model, now: number): Record<string, unknown> {
  const schema = hook.schema === undefined ? undefined : model.schemas.get(hook.schema);
  if (schema === undefined || !hasRow(hook.definition.event)) return { test: true };
  const own = toRow(schema, now);
  const related = schema.relations.flatMap((relation) => {
    const target = relation.kind === '1:1' ? model.schemas.get(relation.target) : undefined;
    return target ? [toRow(target, now)] : [];
  });
  const { event, filter } = hook.definition;
  // Which columns are sent is for what prints it.
  return toEventSample(Object.assign({}, ...related, own), { event, filter });
}
