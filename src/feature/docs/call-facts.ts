import { fieldKinds } from '../../model/field-kind.ts';
import type { SchemaModel } from '../../model/model.ts';
import type { RestMethod } from '../../model/shape.ts';
import { type Json, toValueSchema } from '../../model/value-schema.ts';
import type { CallPlan, Plan } from '../../plan/feature.ts';
import { listForeignKeys } from './row.ts';
import { listSearchParameters, type ParameterFacts } from './search-parameters.ts';
import { describeType, listRules, toSample } from './value.ts';

export interface BodyFacts {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly rules: readonly string[];
  readonly description: string;
  readonly schema: Json;
  readonly sample: unknown;
}

export type Action = 'search' | 'detail' | 'create' | 'update' | 'remove' | 'restore' | 'other';
export type Method = Exclude<RestMethod, 'all'>;

/** Everything that the docs say of a call, worked out from the plan once for pages and OpenAPI. */
export interface CallFacts {
  readonly call: CallPlan;
  readonly action: Action;
  readonly schema: SchemaModel | undefined;
  readonly methods: readonly Method[];
  readonly parameters: readonly ParameterFacts[];
  readonly body: readonly BodyFacts[];
  readonly status: 200 | 201;
  readonly errors: readonly { readonly status: number; readonly reason: string }[];
  /** What the event leaves in results, in a sentence, where it is no row. */
  readonly results: string | undefined;
}

const ACTIONS = /^system-model-(search|detail|create|update|remove|restore)$/;
const METHODS: readonly Method[] = ['get', 'post', 'put', 'patch', 'delete'];

export function toCallFacts(call: CallPlan, plan: Plan): CallFacts {
  const { event, method } = call.definition;
  const action = (ACTIONS.exec(event)?.[1] ?? 'other') as Action;
  const schema = call.schema === undefined ? undefined : plan.model.schemas.get(call.schema);
  const described = call.handler ? undefined : plan.events.find((entry) => entry.event === event);
  const stage = action === 'other' || !schema ? listStageKeys(call, described?.stage ?? {}) : [];
  const isRead = method === 'get';
  return {
    call,
    action: schema ? action : 'other',
    schema,
    methods: method === 'all' ? METHODS : [method],
    parameters: [
      ...call.parameters.map((name) => toPathParameter(name, plan)),
      ...(schema && needsId(call, schema, action)
        ? [toQueryParameter(schema.primary, `Which ${schema.singular.toLowerCase()}`, true)]
        : []),
      ...(schema && action === 'search' ? listSearchParameters(schema, plan.model, call) : []),
      ...(isRead ? stage.map(({ name, description }) => toQueryParameter(name, description, false)) : []),
    ],
    body: isRead ? [] : schema && action !== 'other' ? listBody(call, schema, action) : stage,
    status: action === 'create' && schema ? 201 : 200,
    errors: listErrors(call, action),
    results: described?.results,
  };
}

/** A call on one row whose path does not name it, unless it is the token's own profile. */
function needsId(call: CallPlan, schema: SchemaModel, action: Action): boolean {
  if (action === 'search' || action === 'create' || action === 'other') return false;
  if (call.definition.access === 'user' && schema.name === 'profile') return false;
  return !call.parameters.includes(schema.primary) && !(schema.primary in (call.definition.parameters ?? {}));
}

function toPathParameter(name: string, plan: Plan): ParameterFacts {
  const owner = [...plan.model.schemas.values()].find(({ primary }) => primary === name);
  const schema: Json = owner ? { type: 'integer', minimum: 1 } : { type: 'string' };
  return {
    name,
    place: 'path',
    type: describeType(schema),
    description: owner ? `Identifier of the ${owner.singular.toLowerCase()}` : 'Part of the path',
    isRequired: true,
    schema,
    sample: owner ? '1' : name,
  };
}

function toQueryParameter(name: string, description: string, isRequired: boolean): ParameterFacts {
  const schema = { type: 'string' };
  return { name, place: 'query', type: 'string', description, isRequired, schema, sample: '1' };
}

/** Stage keys that an event documents, without those that the path or the definition fills. */
function listStageKeys(call: CallPlan, stage: Readonly<Record<string, string>>): BodyFacts[] {
  return Object.entries(stage)
    .filter(([name]) => /^[A-Za-z0-9_]+$/.test(name))
    .filter(([name]) => !call.parameters.includes(name) && !(name in (call.definition.parameters ?? {})))
    .map(([name, description]) => ({
      name,
      type: 'any JSON',
      isRequired: false,
      rules: [],
      description,
      schema: { description },
      sample: '…',
    }));
}

function listBody(call: CallPlan, schema: SchemaModel, action: Action): BodyFacts[] {
  if (action !== 'create' && action !== 'update') return [];
  const isFixed = (name: string): boolean =>
    call.parameters.includes(name) ||
    name in (call.definition.parameters ?? {}) ||
    (name === 'profile_id' && call.definition.access === 'user');
  const columns = schema.columns
    .filter(({ field }) => !fieldKinds[field.type].isSystem)
    .map((column) => {
      const value = toValueSchema(column);
      return {
        name: column.name,
        type: describeType(value),
        isRequired: action === 'create' && column.isRequired,
        rules: listRules(column),
        description: column.field.description ?? column.label,
        schema: value,
        sample: toSample(column),
      };
    });
  const keys = listForeignKeys(schema).map(({ column, relation, leads }) => ({
    name: column,
    type: 'integer',
    isRequired: action === 'create' && relation.kind === '1:1',
    rules: [`must be the identifier of a ${leads}`],
    description: `Identifier of the ${leads}`,
    schema: { type: 'integer', minimum: 1, description: `Identifier of the ${leads}` },
    sample: 1,
  }));
  return [...columns, ...keys].filter(({ name }) => !isFixed(name));
}

function listErrors(call: CallPlan, action: Action): { status: number; reason: string }[] {
  const { access } = call.definition;
  const isWrite = action === 'create' || action === 'update';
  const isOne = action === 'detail' || action === 'update' || action === 'remove' || action === 'restore';
  const errors: [boolean, number, string][] = [
    [true, 400, 'A parameter, a body or a credential is malformed, or names a column that is not there.'],
    [access === 'app', 401, 'The app is unknown, or the client secret is wrong or missing.'],
    [access === 'user', 401, 'There is no access token, or it is unknown, expired or revoked.'],
    [access !== 'public', 403, 'The app or the token does not hold a scope that lists this call.'],
    [isOne, 404, 'There is no such row, or it is not the user’s.'],
    [isWrite || action === 'remove', 409, 'The change meets another row: a unique value or a relation.'],
    [isWrite, 422, 'A value breaks a rule; validation names each column.'],
    [access !== 'public', 429, 'Too many requests in this minute; Retry-After says when to come back.'],
  ];
  return errors.filter(([isMet]) => isMet).map(([, status, reason]) => ({ status, reason }));
}
