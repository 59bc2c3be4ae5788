import { toList, toRecord } from '../../model/json/json-parts.ts';
import { isRecord } from '../../model/json/json-value.ts';
import type { Json } from '../../model/json/value-schema.ts';
import { toKey, toLiteral } from '../types/print.ts';

/** TypeScript names of a document's schema components, by their own names. */
export type ComponentNames = ReadonlyMap<string, string>;

const isJoined = (type: string): boolean => /^[^{[<]* [|&] |[}\])>'] [|&] /.test(type);
const wrap = (type: string): string => (isJoined(type) ? `(${type})` : type);

function join(parts: readonly string[], sign: '|' | '&'): string {
  const unique = [...new Set(parts)];
  if (unique.length < 2) return unique[0] ?? 'unknown';
  return unique.map((part) => (sign === '&' ? wrap(part) : part)).join(` ${sign} `);
}

const toLiteralOf = (value: unknown): string =>
  typeof value === 'string' ? toLiteral(value) : value === null ? 'null' : String(value);

/** The last part of a reference to a schema component; undefined for anything else. */
export const findComponent = (schema: unknown): string | undefined =>
  /^#\/components\/schemas\/(.+)$/.exec(String(toRecord(schema).$ref))?.[1];

/** A JSON Schema as a TypeScript type; `unknown` if it cannot be expressed. */
export function printType(given: unknown, names: ComponentNames): string {
  const component = findComponent(given);
  if (component !== undefined) return names.get(component) ?? 'unknown';
  const schema = toRecord(given);
  if ('const' in schema) return toLiteralOf(schema.const);
  if (Array.isArray(schema.enum)) return join(schema.enum.map(toLiteralOf), '|');
  const choices = [...toList(schema.anyOf), ...toList(schema.oneOf)];
  if (choices.length > 0 && schema.type === undefined) {
    return join(
      choices.map((part) => printType(part, names)),
      '|',
    );
  }
  if (Array.isArray(schema.allOf)) {
    return join(
      schema.allOf.map((part) => printType(part, names)),
      '&',
    );
  }
  const types = [schema.type].flat().map(String);
  return join(
    types.map((type) => printPlain(type, schema, names)),
    '|',
  );
}

function printPlain(type: string, schema: Json, names: ComponentNames): string {
  if (type === 'string') return schema.contentMediaType === 'application/octet-stream' ? 'Blob' : 'string';
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'boolean' || type === 'null') return type;
  if (type === 'array') return printArray(schema, names);
  if (type === 'object' || 'properties' in schema) return printObject(schema, names);
  return 'unknown';
}

function printArray(schema: Json, names: ComponentNames): string {
  const item = printType(schema.items, names);
  const { minItems, maxItems } = schema;
  const isPair = minItems === 2 && maxItems === 2;
  return isPair ? `[${item}, ${item}]` : `${wrap(item)}[]`;
}

function printObject(schema: Json, names: ComponentNames): string {
  const properties = Object.entries(toRecord(schema.properties));
  if (properties.length === 0) {
    const { additionalProperties: more } = schema;
    return `Record<string, ${isRecord(more) ? printType(more, names) : 'unknown'}>`;
  }
  return `{ ${listMembers(schema, names).join(' ')} }`;
}

/** The members of an object type, one text each. */
export function listMembers(schema: Json, names: ComponentNames): string[] {
  const required = toList(schema.required);
  return Object.entries(toRecord(schema.properties)).map(
    ([name, value]) => `${toKey(name)}${required.includes(name) ? '' : '?'}: ${printType(value, names)};`,
  );
}
