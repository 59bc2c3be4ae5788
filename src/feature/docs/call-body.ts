import { translate } from '../../core/text/translate.ts';
import { type Json, toBodySchema, toNullable } from '../../model/json/value-schema.ts';
import type { SchemaModel } from '../../model/model.ts';
import { isServerSet, isSystemSet } from '../../model/server-set.ts';
import { MOST_ITEMS } from '../../plan/call/batch.ts';
import type { CallPlan } from '../../plan/feature.ts';
import type { Action } from './call-errors.ts';
import { createSample, describeColumn, describeType, listRules, toNoun } from './value.ts';

/** One key of a call's body. */
export interface BodyFacts {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  /** True if null clears it. */
  readonly mayBeNull?: boolean;
  readonly rules: readonly string[];
  readonly description: string;
  readonly schema: Json;
  readonly sample: unknown;
}

const ID: Json = { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER };

/** The keys of a call's body: the columns of a row, or the operations of a batch. */
export function listBody(call: CallPlan, schema: SchemaModel, action: Action): BodyFacts[] {
  if (action === 'batch') return [describeOperations(call, schema)];
  return action === 'create' || action === 'update' ? listColumns(call, schema, action) : [];
}

/** The columns that a create or an update of a schema takes. */
export function listColumns(call: CallPlan, schema: SchemaModel, action: 'create' | 'update'): BodyFacts[] {
  const isFixed = (name: string): boolean =>
    call.parameters.includes(name) ||
    name in (call.definition.parameters ?? {}) ||
    (name === 'profile_id' && call.definition.access === 'user');
  const columns = schema.columns
    .filter((column) => !isSystemSet(column) && !isServerSet(column))
    .map((column) => {
      const value = toBodySchema(column);
      return {
        name: column.name,
        type: describeType(value),
        isRequired: action === 'create' && column.isRequired,
        mayBeNull: !column.isRequired,
        rules: listRules(column),
        description: describeColumn(column),
        schema: value,
        sample: createSample(column),
      };
    });
  const keys = schema.row.keys.map(({ column, target, isNullable }) => ({
    name: column,
    type: 'integer',
    isRequired: action === 'create' && !isNullable,
    mayBeNull: isNullable,
    rules: [translate('must be the identifier of a {row}', { row: target })],
    description: translate('Identifier of the {row}', { row: target }),
    schema: { ...ID, description: translate('Identifier of the {row}', { row: target }) },
    sample: 1,
  }));
  return [...columns, ...keys].filter(({ name }) => !isFixed(name));
}

/** The columns as the JSON Schema of a closed object; null clears a column that is not required. */
export function toColumnsSchema(body: readonly BodyFacts[]): Json & { readonly properties: Json } {
  const required = body.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  const properties = body.map(({ name, schema, isRequired, mayBeNull }): [string, Json] => [
    name,
    isRequired || mayBeNull !== true ? schema : toNullable(schema),
  ]);
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  };
}

const toSampleOf = (body: readonly BodyFacts[]): Json => {
  const required = body.filter(({ isRequired }) => isRequired);
  return Object.fromEntries(
    (required.length > 0 ? required : body.slice(0, 1)).map(({ name, sample }) => [name, sample]),
  );
};

function describeOperations(call: CallPlan, schema: SchemaModel): BodyFacts {
  const created = listColumns(call, schema, 'create');
  const updated = listColumns(call, schema, 'update');
  const id = {
    ...ID,
    description: translate('Identifier of the {row}', { row: toNoun(schema.singular) }),
  };
  const make = (action: string, properties: Json): Json => ({
    type: 'object',
    properties: { action: { type: 'string', const: action }, ...properties },
    required: ['action', ...Object.keys(properties)],
    additionalProperties: false,
  });
  return {
    name: 'operations',
    type: translate('list of operations'),
    isRequired: true,
    rules: [translate('1 to {most}, each with action, and id or values', { most: MOST_ITEMS })],
    description: translate('What is done, in this order and all together: where one fails, nothing is'),
    schema: {
      type: 'array',
      minItems: 1,
      maxItems: MOST_ITEMS,
      items: {
        oneOf: [
          make('create', { values: toColumnsSchema(created) }),
          make('update', { id, values: toColumnsSchema(updated) }),
          make('remove', { id }),
          ...(schema.active === undefined ? [] : [make('restore', { id })]),
        ],
      },
    },
    sample: [
      { action: 'create', values: toSampleOf(created) },
      { action: 'remove', id: 1 },
    ],
  };
}
