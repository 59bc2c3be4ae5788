import { TreadleError } from '../../core/errors.ts';
import type { Invocation } from '../spec.ts';

/** JSON Schema of a tool's input: an object with flat properties. */
interface InputSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, PropertySchema>>;
  readonly required?: readonly string[];
}

interface PropertySchema {
  readonly type: 'string' | 'boolean' | 'integer' | 'array' | 'object';
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: { readonly type: 'string' | 'object' };
}

export type ToolInput = Readonly<Record<string, unknown>>;

/** What an assistant may ask of a project. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: InputSchema;
  /** Whether it changes nothing. Default true. */
  readonly isReadOnly?: boolean;
  /** The answer, which becomes JSON. @throws TreadleError, ProblemsError */
  run(input: ToolInput, invocation: Invocation): Promise<unknown>;
}

const TYPES: Readonly<Record<PropertySchema['type'], (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  integer: Number.isInteger,
  array: Array.isArray,
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
};

const isOf = ({ type }: Pick<PropertySchema, 'type'>, value: unknown): boolean => TYPES[type](value);

/** Why a value breaks its schema, without the value's name; undefined for a valid one. */
function findValueError(schema: PropertySchema, value: unknown): string | undefined {
  const { type, items, minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema;
  if (!isOf(schema, value)) return `must be of the type ${type}`;
  if (schema.enum !== undefined && !schema.enum.some((each) => each === value))
    return `must be one of ${schema.enum.join(', ')}`;
  if (typeof value === 'number' && (value < minimum || value > maximum)) return `must be ${minimum} to ${maximum}`;
  if (items !== undefined && Array.isArray(value) && !value.every((item) => isOf(items, item)))
    return `must be a list of the type ${items.type}`;
  return undefined;
}

export function createInputError(message: string, hint?: string): TreadleError {
  return new TreadleError('MCP_INPUT_INVALID', message, { status: 400, ...(hint === undefined ? {} : { hint }) });
}

/** @throws MCP_INPUT_INVALID if an input breaks the tool's schema. */
export function checkInput({ name, inputSchema: { properties, required = [] } }: Tool, input: ToolInput): void {
  const known = Object.keys(properties);
  for (const [key, value] of Object.entries(input)) {
    const schema = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (schema === undefined)
      throw createInputError(`${name}: "${key}" is unknown.`, `There are ${known.join(', ') || 'no inputs'}.`);
    const error = findValueError(schema, value);
    if (error !== undefined) throw createInputError(`${name}: "${key}" ${error}.`, schema.description);
  }
  const missing = required.find((key) => input[key] === undefined);
  if (missing !== undefined)
    throw createInputError(`${name}: "${missing}" is missing.`, properties[missing]?.description);
}

/** A text of the input; undefined if it was not given. */
export function readText(input: ToolInput, key: string): string | undefined {
  const value = input[key];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The texts of a list of the input. */
export function readTexts(input: ToolInput, key: string): readonly string[] | undefined {
  const value = input[key];
  return Array.isArray(value) ? value.map(String) : undefined;
}
