import * as z from 'zod';
import { memoize } from '../../core/memoize.ts';
import { findOwn } from '../../core/record.ts';
import { fieldKinds } from '../field/field-kind.ts';
import { toCanonicalDecimal } from '../field/field-kind-decimal.ts';
import { MAX_ITEMS } from '../field/field-kind-json.ts';
import type { ColumnModel } from '../model.ts';
import type { Field } from '../shape.ts';
import { toPortable } from './portable-schema.ts';

export type Json = Readonly<Record<string, unknown>>;

/** JSON Schema keywords of each rule. */
const RULES: Readonly<Record<string, (parameter: unknown, list: readonly unknown[]) => Record<string, unknown>>> = {
  char_lt: (count) => ({ maxLength: Number(count) - 1 }),
  char_lte: (count) => ({ maxLength: Number(count) }),
  char_gt: (count) => ({ minLength: Number(count) + 1 }),
  char_gte: (count) => ({ minLength: Number(count) }),
  lt: (bound) => ({ exclusiveMaximum: Number(bound) }),
  lte: (bound) => ({ maximum: Number(bound) }),
  gt: (bound) => ({ exclusiveMinimum: Number(bound) }),
  gte: (bound) => ({ minimum: Number(bound) }),
  one: (_first, list) => ({ enum: list }),
  ne: (value) => ({ not: { type: typeof value, const: value } }),
  email: () => ({ format: 'email' }),
  url: () => ({ format: 'uri' }),
  hex: () => ({ pattern: '^#?[0-9A-Fa-f]{6}$' }),
};
const TEXTUAL = /^(?:char_|email$|url$|hex$|one$|ne$)/;
const NUMERIC = /^(?:lt|lte|gt|gte|one|ne)$/;

/** Rules that list values of a decimal; JSON Schema cannot compare texts as numbers. */
const SAME = /^(?:one|ne)$/;

/** A rule's value as answers have it. */
const toStoredText = (field: Field, value: unknown): string =>
  field.type === 'decimal' ? toCanonicalDecimal(field, String(value)) : String(value);

const narrower: Readonly<Record<string, (a: number, b: number) => number>> = {
  maxLength: Math.min,
  minLength: Math.max,
  maximum: Math.min,
  minimum: Math.max,
};

/**
 * The rules of a field as keywords; rules without a JSON Schema keyword are described in the docs' own words.
 */
function toRuleWords(field: Field, schema: Json): Record<string, unknown> {
  const words: Record<string, unknown> = {};
  const { validation = [] } = field;
  const type = String(schema.type);
  for (const { method, parameters } of validation) {
    const rule = findOwn(RULES, method);
    const fits =
      field.type === 'decimal'
        ? SAME.test(method)
        : type === 'string'
          ? TEXTUAL.test(method)
          : /^(?:number|integer)$/.test(type) && NUMERIC.test(method);
    if (!rule || !fits) continue;
    const list = parameters === undefined ? [] : [parameters].flat();
    const values = type === 'string' ? list.map((each) => toStoredText(field, each)) : list.map(Number);
    for (const [word, value] of Object.entries(rule(values[0], values))) {
      const before = words[word] ?? schema[word];
      const pick = narrower[word];
      words[word] = pick && typeof before === 'number' ? pick(before, Number(value)) : value;
    }
  }
  return words;
}

/** A schema without the bound that an exclusive one makes needless. */
function withoutWider(schema: Json): Json {
  const { minimum, maximum, ...rest } = schema;
  const isLow = Number(minimum) <= Number(rest.exclusiveMinimum);
  const isHigh = Number(maximum) >= Number(rest.exclusiveMaximum);
  if (!isLow && !isHigh) return schema;
  return {
    ...rest,
    ...(isLow || minimum === undefined ? {} : { minimum }),
    ...(isHigh || maximum === undefined ? {} : { maximum }),
  };
}

function toPlainSchema(field: Field): Json {
  const shape = fieldKinds[field.type].shape(field);
  const { $schema: _, ...schema } = z.toJSONSchema(shape, { unrepresentable: 'any' });
  return toPortable(schema);
}

/** JSON Schema of a fieldset's group: required fields must be sent, unknown keys are refused. */
function toGroupSchema(parts: readonly ColumnModel[]): Json {
  const required = parts.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(
      parts.map((part) => [part.name, part.isRequired ? toValueSchema(part) : toNullable(toValueSchema(part))]),
    ),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

/** JSON Schema (draft 2020-12) of a column's value in requests and results, cached per column. */
export const toValueSchema = memoize(makeValueSchema);

function makeValueSchema(column: ColumnModel): Json {
  const { field, parts } = column;
  const kind = fieldKinds[field.type];
  const description = field.description ?? column.label;
  const title = column.label === description ? {} : { title: column.label };
  if (parts) {
    const group = toGroupSchema(parts);
    const schema = field.multiple === true ? { type: 'array', items: group, maxItems: MAX_ITEMS } : group;
    return { ...title, ...schema, description };
  }
  const schema = kind.jsonSchema?.(field) ?? toPlainSchema(field);
  return { ...title, ...withoutWider({ ...schema, ...toRuleWords(field, schema) }), description };
}

/** A required value must hold something. A text of a fixed form does anyway. */
function toFilled(schema: Json): Json {
  const { type, minLength, minItems } = schema;
  if (type === 'array') return { ...schema, minItems: Math.max(1, Number(minItems ?? 1)) };
  const isFormed = 'enum' in schema || 'format' in schema || 'pattern' in schema;
  return type !== 'string' || isFormed ? schema : { ...schema, minLength: Math.max(1, Number(minLength ?? 1)) };
}

/** JSON Schema of a column's value in a body: what is required is not empty, and a decimal may also be a number. */
export function toBodySchema(column: ColumnModel): Json {
  const schema = toValueSchema(column);
  if (column.field.type !== 'decimal' || schema.enum !== undefined)
    return column.isRequired ? toFilled(schema) : schema;
  const { title, description, ...text } = schema;
  return {
    ...(title === undefined ? {} : { title }),
    anyOf: [text, { type: 'number', format: 'double' }],
    description,
  };
}

/** The same schema, also allowing null; cached per schema. */
export const toNullable = memoize(makeNullable);

function makeNullable(schema: Json): Json {
  if (typeof schema.type === 'string' || Array.isArray(schema.type)) {
    const { enum: values, ...rest } = schema;
    return {
      ...rest,
      type: [schema.type, 'null'].flat(),
      ...(Array.isArray(values) ? { enum: [...values, null] } : {}),
    };
  }
  if (Array.isArray(schema.enum)) return { ...schema, enum: [...schema.enum, null] };
  const { description, title, ...rest } = schema;
  if (Object.keys(rest).length === 0) return schema;
  // Tools know null beside a type better than null as a choice.
  const [first, ...others] = Array.isArray(rest.anyOf) ? (rest.anyOf as Json[]) : [];
  if (typeof first?.type === 'string') return { ...schema, anyOf: [toNullable(first), ...others] };
  return {
    ...(title === undefined ? {} : { title }),
    anyOf: [rest, { type: 'null' }],
    ...(description === undefined ? {} : { description }),
  };
}
