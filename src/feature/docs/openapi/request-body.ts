import { holdsFiles } from '../../../model/field/field-kind.ts';
import { toRecord } from '../../../model/json/json-parts.ts';
import { toPortable } from '../../../model/json/portable-schema.ts';
import type { Json } from '../../../model/json/value-schema.ts';
import { describePeriods } from '../../../model/period-message.ts';
import { toColumnsSchema } from '../call-body.ts';
import type { CallFacts } from '../call-facts.ts';
import { createSampleBody } from '../sample/call-sample.ts';
import type { SharedComponents } from './shared.ts';

/** The body of a hand-written call is unknown: any object. */
const OPEN: Json = { type: 'object', description: 'What the call takes' };

/**
 * The body of a call, as a component with the call's name. It is JSON only: the server also takes forms and merge patches, but a
 * generator that has several types to choose from sends the wrong one.
 */
export function buildRequestBody(facts: CallFacts, shared: SharedComponents): { readonly requestBody?: Json } {
  const { call, body } = facts;
  const shape = call.body?.json;
  if (shape === undefined && body.length === 0 && !call.handler) return {};
  const isRequired = shape !== undefined || body.some((key) => key.isRequired);
  const example = shape === undefined && body.length === 0 ? {} : { example: createSampleBody(facts) };
  const schema = shared.share('schemas', `${call.name}-body`, createSchema(facts, shared));
  const content = { 'application/json': { schema, ...example } };
  // The typed client may send a form with files all the same.
  const files = hasFiles(facts) ? { 'x-treadle-files': true } : {};
  return { requestBody: { required: isRequired, content, ...files } };
}

const hasFiles = ({ action, schema }: CallFacts): boolean =>
  (action === 'create' || action === 'update') && schema?.columns.some(holdsFiles) === true;

function createSchema(facts: CallFacts, shared: SharedComponents): Json {
  const { call, action, schema } = facts;
  if (call.body) return toPortable(call.body.json);
  if (facts.body.length === 0) return OPEN;
  const { additionalProperties, ...columns } = toColumnsSchema(facts.body);
  const isRow = action === 'create' || action === 'update';
  const periods = isRow && schema !== undefined ? describePeriods(schema) : [];
  const files = hasFiles(facts) ? [FILES] : [];
  const words = [...periods, ...files];
  const named = action === 'batch' ? nameOperations(columns, call.name, shared) : columns;
  return {
    ...(words.length === 0 ? {} : { description: words.join(' ') }),
    ...named,
    ...(action === 'other' ? {} : { additionalProperties }),
  };
}

const FILES = 'A file is sent first, by the upload call; here stands its address.';

/** The operations of a batch, each as a component. */
function nameOperations(columns: Json, name: string, shared: SharedComponents): Json {
  const properties = toRecord(columns.properties);
  const operations = toRecord(properties.operations);
  const { oneOf } = toRecord(operations.items);
  if (!Array.isArray(oneOf)) return columns;
  const refs = oneOf.map((operation: Json) => {
    const action = String(toRecord(toRecord(operation.properties).action).const);
    return [action, shared.share('schemas', `${name}-${action}`, operation)] as const;
  });
  const mapping = Object.fromEntries(refs.map(([action, { $ref }]) => [action, $ref]));
  const items = { oneOf: refs.map(([, ref]) => ref), discriminator: { propertyName: 'action', mapping } };
  return { ...columns, properties: { ...properties, operations: { ...operations, items } } };
}
