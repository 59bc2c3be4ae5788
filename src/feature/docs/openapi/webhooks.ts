import { isNamePattern } from '../../../core/bus/pattern.ts';
import { CHANGED, hasRow, ORIGINAL } from '../../../model/hook-event.ts';
import { toMediaType } from '../../../model/hook-message.ts';
import type { Json } from '../../../model/json/value-schema.ts';
import type { HookModel, Model, SchemaModel } from '../../../model/model.ts';
import { createSamplePayload, listHookHeaders } from '../hook-facts.ts';
import { listRowKeys } from '../row.ts';
import type { DocumentParts } from './operation.ts';
import { columnsName, rowName, schemaRef } from './parts.ts';

/**
 * The key of a hook: its type if the name is derived from it, as it is by default (`order-paid` of `order.paid`),
 * otherwise its name. It depends on the hook alone, so adding another hook changes no key that client code uses.
 */
const toKey = ({ name, definition: { type } }: HookModel): string => (type.replaceAll('.', '-') === name ? type : name);

/**
 * Every hook, as the request that a receiver gets.
 *
 * @param baseUrl Public URL without a trailing slash: the source of CloudEvents.
 */
export function toWebhooks({ plan, shared }: DocumentParts, baseUrl: string): Json {
  const webhooks: Record<string, Json> = {};
  for (const hook of plan.hooks) {
    webhooks[toKey(hook)] = {
      [hook.definition.method ?? 'post']: buildHookOperation(hook, { plan, shared }, baseUrl),
    };
  }
  return webhooks;
}

function buildHookOperation(
  hook: HookModel,
  { plan, shared }: Omit<DocumentParts, 'calls' | 'ofOne'>,
  baseUrl: string,
): Json {
  const { model } = plan;
  const { title, description, audience = 'app', approval, format, event } = hook.definition;
  // OpenAPI documents the type of a body with the body.
  const headers = listHookHeaders(hook, model, baseUrl).filter(({ name }) => name !== 'content-type');
  const body = {
    schema: shared.share('schemas', `webhook-${hook.name}-body`, toBodySchema(hook, model)),
    example: createSamplePayload(hook, model, baseUrl),
  };
  return {
    operationId: `webhook-${hook.name}`,
    summary: title,
    description: description ?? `Sent after the event ${event}.`,
    tags: ['webhook'],
    parameters: headers.map(({ name, description: text, sample }) => ({
      name,
      in: 'header',
      required: true,
      description: text,
      schema: { type: 'string' },
      example: sample,
    })),
    requestBody: { required: true, content: { [toMediaType(format)]: body } },
    responses: {
      '2XX': { description: 'Accepted' },
      '410': { description: 'No longer wanted: the receiver is disabled' },
      default: { description: 'Sent again later: ten attempts in all, over three days' },
    },
    security: [],
    'x-treadle-audience': audience,
    ...(approval === true ? { 'x-treadle-approval': true } : {}),
  };
}

const TEXT: Json = { type: 'string' };

/** The members of a body in the CloudEvents JSON format, except `data`. */
const toCloudEvent = (type: string): Json => ({
  specversion: { ...TEXT, const: '1.0' },
  id: { ...TEXT, description: 'As `webhook-id`' },
  source: { ...TEXT, format: 'uri-reference', description: 'URL of this site at the time of the event' },
  type: { ...TEXT, const: type },
  time: { ...TEXT, format: 'date-time' },
  sequence: { ...TEXT, description: 'As `webhook-sequence`, padded with zeros' },
  datacontenttype: { ...TEXT, const: 'application/json' },
});

function toBodySchema(hook: HookModel, model: Model): Json {
  const { type, format = 'standard' } = hook.definition;
  const data = toDataSchema(hook, model);
  if (format === 'cloudevents-binary') return data;
  const timed = { type: { ...TEXT, const: type }, timestamp: { ...TEXT, format: 'date-time' } };
  const properties = { ...(format === 'standard' ? timed : toCloudEvent(type)), data };
  return { type: 'object', required: Object.keys(properties), properties };
}

const NAMES: Json = { type: 'array', items: { type: 'string' } };
const OMITTED: Json = { ...NAMES, description: 'Columns too large to send: read them with a call' };

/** The data of a hook: a row, or the columns that it names; results of other events are undocumented. */
function toDataSchema({ schema: name = '', definition }: HookModel, model: Model): Json {
  const { event, fields } = definition;
  const schema = model.schemas.get(name);
  if (!schema || isNamePattern(event) || !hasRow(event)) return { description: 'The results of the event' };
  if (fields === undefined) return createWholeData(schema, event);
  const keys = listRowKeys(schema, model).filter((key) => fields.includes(key.name));
  const columns = { type: 'object', properties: Object.fromEntries(keys.map((key) => [key.name, key.schema])) };
  return { ...columns, properties: { ...columns.properties, ...listExtra(event, columns), omitted: OMITTED } };
}

/** An update adds the old row and the names of the changed columns. */
function listExtra(event: string, row: Json): Json {
  if (event !== 'system-model-update') return {};
  const changed = { ...NAMES, description: 'Changed columns' };
  return { [ORIGINAL]: { description: 'The row before the change', ...row }, [CHANGED]: changed };
}

/** A whole row, unless it lists omitted columns. */
function createWholeData(schema: SchemaModel, event: string): Json {
  const row = schemaRef(rowName(schema));
  const properties = { ...listExtra(event, row), omitted: OMITTED };
  return {
    allOf: [schemaRef(columnsName(schema)), { type: 'object', properties }],
    if: { properties: { omitted: OMITTED }, required: ['omitted'] },
    else: row,
  };
}
