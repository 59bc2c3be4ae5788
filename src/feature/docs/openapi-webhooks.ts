import { isNamePattern } from '../../core/pattern.ts';
import { CHANGED, hasRow, ORIGINAL } from '../../model/hook-event.ts';
import { toMediaType } from '../../model/hook-message.ts';
import type { HookModel, Model, SchemaModel } from '../../model/model.ts';
import type { Json } from '../../model/value-schema.ts';
import type { Plan } from '../../plan/feature.ts';
import { listHookHeaders, toSamplePayload } from './hook-facts.ts';
import { columnsName, rowName, schemaRef } from './openapi-parts.ts';
import { listRowKeys } from './row.ts';

/**
 * The key of a hook: its type where its name is made of that, as it is by default (`order-paid` of `order.paid`), else its
 * name. It follows from the hook alone, so another hook changes no key that somebody has made a program from.
 */
const toKey = ({ name, definition: { type } }: HookModel): string => (type.replaceAll('.', '-') === name ? type : name);

/**
 * Every hook as what a receiver is sent.
 *
 * @param baseUrl Public address without a trailing slash: where CloudEvents come from.
 */
export function toWebhooks(plan: Plan, baseUrl: string): Json {
  const webhooks: Record<string, Json> = {};
  for (const hook of plan.hooks) {
    webhooks[toKey(hook)] = {
      [hook.definition.method ?? 'post']: toHookOperation(hook, plan.model, baseUrl),
    };
  }
  return webhooks;
}

function toHookOperation(hook: HookModel, model: Model, baseUrl: string): Json {
  const { title, description, audience = 'app', approval, format } = hook.definition;
  // OpenAPI tells of a body's type where it tells of the body.
  const headers = listHookHeaders(hook, model, baseUrl).filter(({ name }) => name !== 'content-type');
  return {
    operationId: `webhook-${hook.name}`,
    summary: title,
    ...(description === undefined ? {} : { description }),
    tags: ['webhook'],
    parameters: headers.map(({ name, description: text, sample }) => ({
      name,
      in: 'header',
      required: true,
      description: text,
      schema: { type: 'string' },
      example: sample,
    })),
    requestBody: { required: true, content: { [toMediaType(format)]: toPayload(hook, model, baseUrl) } },
    responses: {
      '2XX': { description: 'Taken' },
      '410': { description: 'Not wanted any more: the receiver is disabled' },
      '4XX': { description: 'Tried again later: ten attempts in all, over three days' },
      '5XX': { description: 'Tried again later: ten attempts in all, over three days' },
    },
    security: [],
    'x-treadle-audience': audience,
    ...(approval === true ? { 'x-treadle-approval': true } : {}),
  };
}

const TEXT: Json = { type: 'string' };

/** What a body in the CloudEvents JSON format has beside `data`. */
const toCloudEvent = (type: string): Json => ({
  specversion: { const: '1.0' },
  id: { ...TEXT, description: 'As `webhook-id`' },
  source: { ...TEXT, format: 'uri-reference', description: 'Address of this site when it happened' },
  type: { const: type },
  time: { ...TEXT, format: 'date-time' },
  sequence: { ...TEXT, description: 'As `webhook-sequence`, with zeros before' },
  datacontenttype: { const: 'application/json' },
});

function toBodySchema(hook: HookModel, model: Model): Json {
  const { type, format = 'standard' } = hook.definition;
  const data = toDataSchema(hook, model);
  if (format === 'cloudevents-binary') return data;
  const timed = { type: { const: type }, timestamp: { ...TEXT, format: 'date-time' } };
  const properties = { ...(format === 'standard' ? timed : toCloudEvent(type)), data };
  return { type: 'object', required: Object.keys(properties), properties };
}

const toPayload = (hook: HookModel, model: Model, baseUrl: string): Json => ({
  schema: toBodySchema(hook, model),
  example: toSamplePayload(hook, model, baseUrl),
});

const NAMES: Json = { type: 'array', items: { type: 'string' } };
const OMITTED: Json = { ...NAMES, description: 'Columns that were too large to send: read them by a call' };

/** What a hook sends of its event: a row, or the columns of it that it names; what another event left is its own affair. */
function toDataSchema({ schema: name = '', definition }: HookModel, model: Model): Json {
  const { event, fields } = definition;
  const schema = model.schemas.get(name);
  if (!schema || isNamePattern(event) || !hasRow(event)) return { description: 'What the event left in its results' };
  if (fields === undefined) return toWholeData(schema, event);
  const keys = listRowKeys(schema, model).filter((key) => fields.includes(key.name));
  const columns = { type: 'object', properties: Object.fromEntries(keys.map((key) => [key.name, key.schema])) };
  return { ...columns, properties: { ...columns.properties, ...listExtra(event, columns), omitted: OMITTED } };
}

/** An update tells what was, and what is other now. */
function listExtra(event: string, row: Json): Json {
  if (event !== 'system-model-update') return {};
  const changed = { ...NAMES, description: 'Columns that are not as they were' };
  return { [ORIGINAL]: { description: 'The row as it was', ...row }, [CHANGED]: changed };
}

/** A whole row, unless it says what it leaves out. */
function toWholeData(schema: SchemaModel, event: string): Json {
  const row = schemaRef(rowName(schema));
  const properties = { ...listExtra(event, row), omitted: OMITTED };
  return {
    allOf: [schemaRef(columnsName(schema)), { type: 'object', properties }],
    if: { required: ['omitted'] },
    else: row,
  };
}
