import type { Model, SchemaModel } from '../../model/model.ts';
import { AGGREGATES } from '../../model/shape.ts';
import type { Json } from '../../model/value-schema.ts';
import type { CallPlan } from '../../plan/feature.ts';
import type { CallFacts } from './call-facts.ts';
import { listBranches, listRowKeys } from './row.ts';

const ref = (kind: string, name: string): Json => ({ $ref: `#/components/${kind}/${name}` });
export const schemaRef = (name: string): Json => ref('schemas', name);
export const responseRef = (name: string): Json => ref('responses', name);

/** Component names of a schema: its row, and its detail where that has more. */
export const rowName = (schema: SchemaModel): string => schema.name;
export const detailName = (schema: SchemaModel, model: Model): string =>
  listBranches(schema, model).length > 0 ? `${schema.name}-detail` : schema.name;

/** JSON Schemas of a schema's row and, where it has branches, of its detail. */
export function toRowSchemas(schema: SchemaModel, model: Model): Record<string, Json> {
  const keys = listRowKeys(schema, model);
  const row = {
    type: 'object',
    title: schema.singular,
    ...(schema.description === undefined ? {} : { description: schema.description }),
    properties: Object.fromEntries(keys.map((key) => [key.name, key.schema])),
    required: [schema.primary],
  };
  const branches = listBranches(schema, model);
  if (branches.length === 0) return { [rowName(schema)]: row };
  const properties = Object.fromEntries(
    branches.flatMap(({ name, target, isList }): [string, Json][] => {
      const item = schemaRef(rowName(target));
      if (!isList) return [[name, { anyOf: [item, { type: 'null' }] }]];
      const more = { const: true, description: `Only where ${name} has more rows than are shown` };
      return [
        [name, { type: 'array', items: item }],
        [`${name}_more`, more],
      ];
    }),
  );
  return {
    [rowName(schema)]: row,
    [detailName(schema, model)]: {
      title: `${schema.singular} in detail`,
      allOf: [schemaRef(rowName(schema)), { type: 'object', properties }],
    },
  };
}

/** Schemas that some call or hook shows, and those that these lead to: what no call shows is nobody's business. */
export function listShownSchemas(model: Model, names: Iterable<string | undefined>): SchemaModel[] {
  const shown = new Map<string, SchemaModel>();
  for (const name of names) {
    const schema = name === undefined ? undefined : model.schemas.get(name);
    if (!schema) continue;
    shown.set(schema.name, schema);
    for (const { target } of listBranches(schema, model)) shown.set(target.name, target);
  }
  return [...shown.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The envelope of a call's success. */
export function toAnswerSchema(facts: CallFacts, model: Model): Json {
  return {
    type: 'object',
    required: ['error', 'results'],
    properties: { error: { const: false }, results: toResultsSchema(facts, model) },
  };
}

const GROUP: Json = {
  type: 'object',
  required: ['count'],
  properties: {
    count: { type: 'integer', minimum: 0, description: 'Rows of the group' },
    total: { type: 'number', description: 'Sum of the column that was asked for' },
  },
};

/** The parameters that make groups which a call opens or fixes. */
function listGroupKeys({ call }: CallFacts): string[] {
  const { aggregate = [], parameters = {} } = call.definition;
  return [...aggregate, ...AGGREGATES.filter((name) => Object.hasOwn(parameters, name))];
}

function toResultsSchema(facts: CallFacts, model: Model): Json {
  const { schema, action, results } = facts;
  if (!schema || action === 'other') return results === undefined ? {} : { description: results };
  if (action === 'search') {
    const row = schemaRef(rowName(schema));
    // Where a call opens groups, an answer has those or rows.
    const items = listGroupKeys(facts).length === 0 ? row : { anyOf: [row, GROUP] };
    return {
      type: 'object',
      required: ['rows'],
      properties: {
        rows: { type: 'array', items },
        total: { type: 'integer', minimum: 0, description: 'Rows on all pages; left out with total=0' },
        next: { type: 'string', description: 'Cursor for after, where there are rows after the page' },
        previous: { type: 'string', description: 'Cursor for before, where there may be rows before the page' },
      },
    };
  }
  return schemaRef(action === 'detail' ? detailName(schema, model) : rowName(schema));
}

export const PROBLEM: Json = {
  type: 'object',
  title: 'Problem',
  description: 'Problem details of RFC 9457, with the members error, message and validation.',
  required: ['type', 'title', 'status', 'error', 'message'],
  properties: {
    type: { type: 'string', format: 'uri-reference' },
    title: { type: 'string' },
    status: { type: 'integer', minimum: 400, maximum: 599 },
    detail: { type: 'string' },
    error: { const: true },
    message: { type: 'string' },
    validation: {
      type: 'object',
      description: 'Messages by column',
      additionalProperties: { anyOf: [{ type: 'string' }, { type: 'object' }, { type: 'array' }] },
    },
  },
};

const challenge = { 'WWW-Authenticate': { description: 'What is missing', schema: { type: 'string' } } };
const waiting = { 'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer', minimum: 1 } } };

const problem = (description: string, headers?: Json): Json => ({
  description,
  ...(headers ? { headers } : {}),
  content: { 'application/problem+json': { schema: schemaRef('problem') } },
});

/** One response component for each status that a call can fail with. */
export const PROBLEM_RESPONSES: Readonly<Record<string, Json>> = {
  problem400: problem('The request is malformed'),
  problem401: problem('Credentials are missing or wrong', challenge),
  problem403: problem('The scope is not enough', challenge),
  problem404: problem('There is no such row'),
  problem409: problem('The change meets another row'),
  problem422: problem('A value breaks a rule'),
  problem429: problem('Too many requests', waiting),
  problem: problem('Anything else'),
};

/** What the API accepts as proof of who asks. */
export function toSecuritySchemes(model: Model, baseUrl: string): Record<string, Json> {
  const scopes = [...model.scopes.values()].filter(({ definition }) => definition.access === 'user');
  return {
    oauth2: {
      type: 'oauth2',
      description: 'The three-legged flow: the user allows the app, which exchanges the code for a token.',
      flows: {
        authorizationCode: {
          authorizationUrl: `${baseUrl}/dialog/request`,
          tokenUrl: `${baseUrl}/rest/access`,
          scopes: Object.fromEntries(scopes.map(({ slug, definition }) => [slug, definition.name])),
        },
      },
    },
    bearer: { type: 'http', scheme: 'bearer', description: 'An access token' },
    ...(model.settings.oauth.mode === 'strict'
      ? {}
      : {
          accessToken: { type: 'apiKey', in: 'query', name: 'access_token', description: 'An access token, to read' },
        }),
    clientId: { type: 'apiKey', in: 'query', name: 'client_id', description: 'An app, to read' },
    client: { type: 'http', scheme: 'basic', description: 'Client id and client secret of an app' },
  };
}

/** What one call accepts: any one of the list. */
export function toSecurity(call: CallPlan, model: Model, isRead: boolean): Json[] {
  const { access } = call.definition;
  if (access === 'public') return [];
  if (access === 'app') return [...(isRead ? [{ clientId: [] }] : []), { client: [] }];
  const scopes = call.scopes.filter((slug) => model.scopes.get(slug)?.definition.access === 'user');
  const isQueryRead = isRead && model.settings.oauth.mode !== 'strict';
  return [...scopes.map((slug) => ({ oauth2: [slug] })), { bearer: [] }, ...(isQueryRead ? [{ accessToken: [] }] : [])];
}
