import { toLocalText, translate } from '../../core/text/translate.ts';
import type { Json } from '../../model/json/value-schema.ts';
import type { SchemaModel } from '../../model/model.ts';
import type { RestMethod } from '../../model/shape.ts';
import { describeResults, describeStage } from '../../plan/event/describe.ts';
import type { EventFacts } from '../../plan/event/facts.ts';
import type { CallPlan, Plan } from '../../plan/feature.ts';
import { type BodyFacts, listBody } from './call-body.ts';
import { type Action, type ErrorFacts, listErrors } from './call-errors.ts';
import { listChildAnswers, listChildBody } from './children.ts';
import {
  type KnownParameters,
  listDetailParameters,
  listSearchParameters,
  type ParameterFacts,
} from './search-parameters.ts';
import { describeType, toNoun } from './value.ts';

export type Method = Exclude<RestMethod, 'all'>;

/** Everything that the docs show about a call, computed from the plan once for pages and OpenAPI. */
export interface CallFacts {
  readonly call: CallPlan;
  readonly action: Action;
  readonly schema: SchemaModel | undefined;
  readonly methods: readonly Method[];
  readonly parameters: readonly ParameterFacts[];
  readonly body: readonly BodyFacts[];
  /** Lists of other rows that the answer has if the body brought them, by name. */
  readonly children: ReadonlyMap<string, SchemaModel>;
  readonly status: number;
  readonly errors: readonly ErrorFacts[];
  /** The results of the event in a sentence, if they are not a row. */
  readonly results: string | undefined;
  /** The results as the code says them, of the call or of the event that it declares. */
  readonly answer: Json | undefined;
}

const ACTIONS = /^system-(?:model-(search|detail|create|update|remove|restore|batch)|relation-(link|unlink))$/;
const METHODS: readonly Method[] = ['get', 'post', 'put', 'patch', 'delete'];

/** The action of a call's event, if it is one of Treadle's own on rows of a schema. */
function findAction({ event }: CallPlan['definition']): Action {
  const [, model, relation] = ACTIONS.exec(event) ?? [];
  return (model ?? relation ?? 'other') as Action;
}

/** The schema of a call's rows; for a link, the first of both. */
function findSchema({ schema, definition }: CallPlan, { model }: Plan): SchemaModel | undefined {
  const first = definition.parameters?.schema1;
  return model.schemas.get(schema ?? (typeof first === 'string' ? first : ''));
}

/** The keys of a hand-written call's body. */
function listShapeKeys(json: Json): BodyFacts[] {
  const { properties = {}, required = [] } = json as { properties?: Record<string, Json>; required?: string[] };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    type: describeType(schema),
    isRequired: required.includes(name),
    rules: [],
    description: typeof schema.description === 'string' ? toLocalText(schema.description) : '',
    schema,
    sample: Array.isArray(schema.examples) ? schema.examples[0] : schema.type === 'string' ? 'text' : 1,
  }));
}

/** Stage keys that a call leaves open, for an event without a known action. */
function listOpenKeys(call: CallPlan, plan: Plan, action: Action): BodyFacts[] {
  if (call.body) return listShapeKeys(call.body.json);
  const event = findEvent(call, plan);
  const stage = event?.declared?.stage;
  if (stage) return listShapeKeys(stage.json).filter(({ name }) => isOpenKey(call, name));
  return action === 'other' && event ? listStageKeys(call, describeStage(event)) : [];
}

const findEvent = ({ handler, definition }: CallPlan, { events }: Plan): EventFacts | undefined =>
  handler ? undefined : events.find(({ name }) => name === definition.event);

/** Whether neither the path nor the definition fixes a key. */
const isOpenKey = ({ parameters, definition }: CallPlan, name: string): boolean =>
  !parameters.includes(name) && !(name in (definition.parameters ?? {}));

function listParameters(
  call: CallPlan,
  plan: Plan,
  about: { schema: SchemaModel | undefined; action: Action; known: KnownParameters },
) {
  const { schema, action, known } = about;
  const isRead = call.definition.method === 'get';
  return [
    ...call.parameters.map((name) => describePathParameter(name, plan)),
    ...(schema && needsId(call, schema, action)
      ? [describeQueryParameter(schema.primary, translate('Which {row}', { row: toNoun(schema.singular) }), true)]
      : []),
    ...(schema && action === 'search' ? listSearchParameters(schema, plan.model, call, known) : []),
    ...(schema && action === 'detail' ? listDetailParameters(schema, plan.model, call, known) : []),
    ...(isRead
      ? listOpenKeys(call, plan, action).map(({ name, description }) =>
          describeQueryParameter(name, description, false),
        )
      : []),
  ];
}

/** The facts about all calls. */
export function listCallFacts(plan: Plan): CallFacts[] {
  const known: KnownParameters = new Map();
  return plan.calls.map((call) => toCallFacts(call, plan, known));
}

/**
 * Computes the facts about a call.
 *
 * @param known Of calls before it, in the same language.
 */
export function toCallFacts(call: CallPlan, plan: Plan, known: KnownParameters = new Map()): CallFacts {
  const { method } = call.definition;
  const described = findEvent(call, plan);
  const schema = findSchema(call, plan);
  const action = schema && !call.handler ? findAction(call.definition) : 'other';
  return {
    call,
    action,
    schema,
    methods: method === 'all' ? METHODS : [method],
    parameters: listParameters(call, plan, { schema, action, known }),
    body:
      method === 'get'
        ? []
        : schema && action !== 'other'
          ? [...listBody(call, schema, action), ...listChildBody(call, schema, plan)]
          : listOpenKeys(call, plan, action),
    children: listChildAnswers(call, plan),
    status: call.status ?? (action === 'create' ? 201 : 200),
    errors: listErrors(call, action),
    results: described && describeResults(described),
    answer: call.answer?.json ?? described?.declared?.results?.json,
  };
}

/** Actions on one row, named by the path or a parameter. */
const ON_ONE: readonly Action[] = ['detail', 'update', 'remove', 'restore'];

/** True for a call on one row that the path does not name, except the token's own profile. */
function needsId(call: CallPlan, schema: SchemaModel, action: Action): boolean {
  if (!ON_ONE.includes(action)) return false;
  if (call.definition.access === 'user' && schema.name === 'profile') return false;
  return !call.parameters.includes(schema.primary) && !(schema.primary in (call.definition.parameters ?? {}));
}

function describePathParameter(name: string, plan: Plan): ParameterFacts {
  // The two keys of a self-relation are numbered.
  const plain = name.replace(/_id_[12]$/, '_id');
  const owner = [...plan.model.schemas.values()].find(({ primary }) => primary === plain);
  const schema: Json = owner
    ? { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER }
    : { type: 'string', minLength: 1 };
  return {
    name,
    place: 'path',
    type: describeType(schema),
    description: owner
      ? translate('Identifier of the {row}', { row: toNoun(owner.singular) })
      : translate('Part of the path'),
    isRequired: true,
    schema,
    sample: owner ? '1' : name,
  };
}

function describeQueryParameter(name: string, description: string, isRequired: boolean): ParameterFacts {
  const schema = { type: 'string' };
  return { name, place: 'query', type: 'string', description, isRequired, schema, sample: '1' };
}

/** Documented stage keys of an event, without those that the path or the definition sets. */
function listStageKeys(call: CallPlan, stage: Readonly<Record<string, string>>): BodyFacts[] {
  return Object.entries(stage)
    .map(([name, text]) => [name, toLocalText(text)] as const)
    .filter(([name]) => /^[A-Za-z0-9_]+$/.test(name))
    .filter(([name]) => isOpenKey(call, name))
    .map(([name, description]) => ({
      name,
      type: translate('any JSON'),
      isRequired: false,
      rules: [],
      description,
      schema: { description },
      sample: '…',
    }));
}
