import { fieldKinds, holdsFiles } from '../../model/field-kind.ts';
import type { HookModel } from '../../model/model.ts';
import type { Json } from '../../model/value-schema.ts';
import type { Plan } from '../../plan/feature.ts';
import { type CallFacts, type Method, toCallFacts } from './call-facts.ts';
import { toSampleAnswer, toSampleBody } from './call-sample.ts';
import { HOOK_HEADERS, toSamplePayload } from './hook-facts.ts';
import {
  listShownSchemas,
  PROBLEM,
  PROBLEM_RESPONSES,
  responseRef,
  rowName,
  schemaRef,
  toAnswerSchema,
  toRowSchemas,
  toSecurity,
  toSecuritySchemes,
} from './openapi-parts.ts';

/**
 * The API as an OpenAPI 3.1 document, made from the plan alone: the same plan gives the same bytes.
 *
 * @param baseUrl Public address without a trailing slash.
 * @see https://spec.openapis.org/oas/v3.1.2
 */
export function toOpenApi(plan: Plan, baseUrl: string): Json {
  const { model } = plan;
  const shown = listShownSchemas(
    model,
    [...plan.calls, ...plan.hooks].map(({ schema }) => schema),
  );
  const names = new Set(plan.calls.map(({ definition }) => definition.access));
  return {
    openapi: '3.1.0',
    info: {
      title: `${model.settings.name} API`,
      version: '1',
      description: 'Generated from the definitions of this site. Times are YYYY-MM-DD HH:MM:SS, UTC.',
    },
    servers: [{ url: baseUrl }],
    tags: [...names].map((name) => ({ name, description: TAGS[name] })),
    paths: toPaths(plan),
    webhooks: toWebhooks(plan),
    components: {
      schemas: { ...Object.assign({}, ...shown.map((schema) => toRowSchemas(schema, model))), problem: PROBLEM },
      responses: PROBLEM_RESPONSES,
      securitySchemes: toSecuritySchemes(model, baseUrl),
    },
  };
}

const TAGS = {
  public: 'Calls that need no credential',
  app: 'Calls that need an app',
  user: 'Calls that need a user’s access token',
} as const;

/** Turns `:name` into `{name}`, and each `*` into a numbered parameter. */
function toTemplate(path: string): { template: string; wildcards: string[] } {
  const wildcards: string[] = [];
  const template = path
    .split('/')
    .map((segment) =>
      segment.replace(/^:([A-Za-z_][A-Za-z0-9_]*)$/, '{$1}').replace(/\*+/g, () => {
        wildcards.push(`wildcard${wildcards.length + 1}`);
        return `{${wildcards[wildcards.length - 1]}}`;
      }),
    )
    .join('/');
  return { template, wildcards };
}

function toPaths(plan: Plan): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const call of plan.calls) {
    const facts = toCallFacts(call, plan);
    const { template, wildcards } = toTemplate(call.path);
    paths[template] ??= {};
    for (const method of facts.methods) paths[template][method] ??= toOperation(facts, method, plan, wildcards);
  }
  return paths;
}

function toOperation(facts: CallFacts, method: Method, plan: Plan, wildcards: readonly string[]): Json {
  const { call, body } = facts;
  const isRead = method === 'get';
  const parameters = [
    ...facts.parameters.map(({ name, place, description, isRequired, schema }) => {
      const { description: _, ...plain } = schema;
      return { name, in: place, description, required: isRequired, schema: plain };
    }),
    ...wildcards.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
  ];
  return {
    operationId: facts.methods.length === 1 ? call.name : `${call.name}-${method}`,
    summary: call.definition.title,
    ...(call.definition.description === undefined ? {} : { description: call.definition.description }),
    tags: [call.definition.access],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(isRead || body.length === 0 ? {} : { requestBody: toRequestBody(facts) }),
    responses: toResponses(facts, plan),
    security: toSecurity(call, plan.model, isRead),
  };
}

function toRequestBody(facts: CallFacts): Json {
  const required = facts.body.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  const schema = {
    type: 'object',
    properties: Object.fromEntries(facts.body.map((field) => [field.name, field.schema])),
    ...(required.length > 0 ? { required } : {}),
    ...(facts.action === 'other' ? {} : { additionalProperties: false }),
  };
  return {
    required: required.length > 0,
    content: {
      'application/json': { schema, example: toSampleBody(facts) },
      'application/x-www-form-urlencoded': { schema },
      ...(facts.schema?.columns.some(holdsFiles) ? { 'multipart/form-data': toFormContent(facts, schema) } : {}),
    },
  };
}

/** A form with files: what a JSON body has as addresses and data URIs may be a file there. */
function toFormContent({ schema: owner }: CallFacts, schema: { readonly properties: Json }): Json {
  const bytes = { type: 'string', contentMediaType: 'application/octet-stream' };
  const files = (owner?.columns ?? [])
    .filter(({ name, field }) => name in schema.properties && fieldKinds[field.type].group === 'file')
    .map(({ name, field, label }) => {
      const file = fieldKinds[field.type].isJson ? { type: 'array', items: bytes } : bytes;
      return [name, { ...file, description: label }] as const;
    });
  return { schema: { ...schema, properties: { ...schema.properties, ...Object.fromEntries(files) } } };
}

function toResponses(facts: CallFacts, plan: Plan): Json {
  const headers = {
    ...(facts.action === 'search'
      ? { Link: { description: 'The pages before and after, as prev and next', schema: { type: 'string' } } }
      : {}),
    ...(facts.status === 201
      ? { Location: { description: 'Where the new row is read', schema: { type: 'string', format: 'uri-reference' } } }
      : {}),
  };
  const success = {
    description: facts.status === 201 ? 'Created' : 'Done',
    ...(Object.keys(headers).length > 0 ? { headers } : {}),
    content: {
      'application/json': { schema: toAnswerSchema(facts, plan.model), example: toSampleAnswer(facts, plan.model) },
    },
  };
  return {
    [facts.status]: success,
    ...Object.fromEntries(facts.errors.map(({ status }) => [status, responseRef(`problem${status}`)])),
    default: responseRef('problem'),
  };
}

function toWebhooks(plan: Plan): Json {
  const webhooks: Record<string, Json> = {};
  for (const hook of plan.hooks) {
    const { type } = hook.definition;
    webhooks[type in webhooks ? hook.name : type] = { [hook.definition.method ?? 'post']: toHookOperation(hook, plan) };
  }
  return webhooks;
}

function toHookOperation(hook: HookModel, plan: Plan): Json {
  const schema = hook.schema === undefined ? undefined : plan.model.schemas.get(hook.schema);
  const { title, description, type } = hook.definition;
  return {
    operationId: `webhook-${hook.name}`,
    summary: title,
    ...(description === undefined ? {} : { description }),
    parameters: HOOK_HEADERS.map(({ name, description: text }) => ({
      name,
      in: 'header',
      required: true,
      description: text,
      schema: { type: 'string' },
    })),
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: {
            type: 'object',
            required: ['type', 'timestamp', 'data'],
            properties: {
              type: { const: type },
              timestamp: { type: 'string', format: 'date-time' },
              data: schema ? schemaRef(rowName(schema)) : {},
            },
          },
          example: toSamplePayload(hook, plan.model),
        },
      },
    },
    responses: {
      '2XX': { description: 'Taken' },
      '410': { description: 'Not wanted any more: the receiver is disabled' },
      default: { description: 'Tried again later, ten times over three days' },
    },
    security: [],
  };
}
