import { isNamePattern } from '../../core/pattern.ts';
import { CHANGED, hasRow, ORIGINAL } from '../../model/hook-event.ts';
import type { HookModel, Model, SchemaModel } from '../../model/model.ts';
import type { Json } from '../../model/value-schema.ts';
import type { Plan } from '../../plan/feature.ts';
import { HOOK_HEADERS, toSamplePayload } from './hook-facts.ts';
import { columnsName, rowName, schemaRef } from './openapi-parts.ts';
import { listRowKeys } from './row.ts';

/** Every hook as what a receiver is sent, by type; a second hook of a type by its own name. */
export function toWebhooks(plan: Plan): Json {
  const webhooks: Record<string, Json> = {};
  for (const hook of plan.hooks) {
    const { type } = hook.definition;
    webhooks[type in webhooks ? hook.name : type] = {
      [hook.definition.method ?? 'post']: toHookOperation(hook, plan.model),
    };
  }
  return webhooks;
}

function toHookOperation(hook: HookModel, model: Model): Json {
  const { title, description, audience = 'app' } = hook.definition;
  return {
    operationId: `webhook-${hook.name}`,
    summary: title,
    ...(description === undefined ? {} : { description }),
    tags: ['webhook'],
    parameters: HOOK_HEADERS.map(({ name, description: text, sample }) => ({
      name,
      in: 'header',
      required: true,
      description: text,
      schema: { type: 'string' },
      example: sample,
    })),
    requestBody: { required: true, content: { 'application/json': toPayload(hook, model) } },
    responses: {
      '2XX': { description: 'Taken' },
      '410': { description: 'Not wanted any more: the receiver is disabled' },
      '4XX': { description: 'Tried again later, ten times over three days' },
      '5XX': { description: 'Tried again later, ten times over three days' },
    },
    security: [],
    'x-treadle-audience': audience,
  };
}

function toPayload(hook: HookModel, model: Model): Json {
  return {
    schema: {
      type: 'object',
      required: ['type', 'timestamp', 'data'],
      properties: {
        type: { const: hook.definition.type },
        timestamp: { type: 'string', format: 'date-time' },
        data: toDataSchema(hook, model),
      },
    },
    example: toSamplePayload(hook, model),
  };
}

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
