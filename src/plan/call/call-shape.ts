import * as z from 'zod';
import { continueWith } from '../../core/continue-with.ts';
import { TreadleError } from '../../core/errors.ts';
import { isOneOf } from '../../core/record.ts';
import type { Response } from '../../core/request/response.ts';
import { noteOthers } from '../../core/text/rule-note.ts';
import { toLocalText } from '../../core/text/translate.ts';
import { toList, toRecord } from '../../model/json/json-parts.ts';
import type { Json } from '../../model/json/value-schema.ts';
import type { StandardIssue, StandardSchema } from '../handler/standard-schema.ts';
import { toShapeWords } from './shape-words.ts';

/** What is wrong with a value. */
export interface ShapeIssue {
  readonly path: readonly string[];
  readonly message: string;
}

/** What a shape says of a value. */
export interface ShapeResult {
  /** As the shape gives it: converted, with defaults. */
  readonly value: unknown;
  /** Empty if the value is valid. */
  readonly issues: readonly ShapeIssue[];
}

/** The shape of what a handler gets or returns. */
export interface CallShape {
  /** As JSON Schema; that of any object if the library of the shape has none. */
  readonly json: Json;
  /** False if only the library of the shape knows it. */
  readonly isDescribed: boolean;
  /** Names that it says, whether or not it takes others. */
  readonly names: readonly string[];
  /** Names of the keys of the object; undefined if it may have any. */
  readonly keys: ReadonlySet<string> | undefined;
  /** Checks a value, and converts it. A promise only if the shape itself waits. */
  check(value: unknown): ShapeResult | Promise<ShapeResult>;
}

/** Most issues that an answer names. */
const MOST_NAMED = 20;

/** An older zod has another inside: it is a library like others. */
const isZod = (given: object): given is z.ZodType => '_zod' in given && 'safeParse' in given;
const isStandard = (given: object): given is StandardSchema => '~standard' in given;

const toKey = (part: PropertyKey | { readonly key: PropertyKey }): string =>
  String(typeof part === 'object' ? part.key : part);

const toIssues = (issues: readonly StandardIssue[] = []): ShapeIssue[] =>
  issues.map(({ path = [], message }) => ({ path: path.map(toKey), message }));

/** The check by a shape of any library. */
function compileStandard({ '~standard': standard }: StandardSchema): CallShape['check'] {
  return (value) => {
    const result = standard.validate(value);
    return continueWith(result, ({ value: output, issues }) => ({ value: output, issues: toIssues(issues) }));
  };
}

/** Zod tells only once it meets a part that waits, such as a `refine` that asks the database. */
function compileZod(shape: z.ZodType): CallShape['check'] {
  const state = { waits: false };
  const toResult = ({ data, error }: z.ZodSafeParseResult<unknown>): ShapeResult => ({
    value: data,
    issues: toIssues(error?.issues),
  });
  const checkLate = async (value: unknown): Promise<ShapeResult> => {
    const result = await shape.safeParseAsync(value, { error: toShapeWords });
    state.waits = true;
    return toResult(result);
  };
  return (value) => {
    if (state.waits) return checkLate(value);
    try {
      return toResult(shape.safeParse(value, { error: toShapeWords }));
    } catch {
      // The class of the error is that of the project's own zod. Any other error comes again.
      return checkLate(value);
    }
  };
}

type Override = NonNullable<z.core.ToJSONSchemaParams['override']>;

/** For {@link compileCallShape}: a number or a text that zod converts may be given as the other one, too. */
export const namesBoth: Override = ({ zodSchema: { _zod }, jsonSchema }) => {
  const isConverted = 'coerce' in _zod.def && _zod.def.coerce === true;
  if (isConverted && isOneOf(['number', 'integer', 'string'], jsonSchema.type))
    Object.assign(jsonSchema, { type: ['number', 'string'] });
};

function toJson(given: object, override: Override | undefined): Json {
  if (!isZod(given)) return isStandard(given) ? { type: 'object' } : toRecord(given);
  const { $schema: _, ...json } = z.toJSONSchema(given, {
    io: 'input',
    unrepresentable: 'any',
    ...(override && { override }),
  });
  return json;
}

/** Compiles a shape of zod or another library, or a JSON Schema of an object. @throws REST_SHAPE_INVALID */
export function compileCallShape(given: object, what: string, override?: Override): CallShape {
  try {
    const json = toJson(given, override);
    const { properties, additionalProperties } = json;
    const isOpen = properties === undefined || (additionalProperties !== undefined && additionalProperties !== false);
    const names = Object.keys(toRecord(properties));
    const isForeign = !isZod(given) && isStandard(given);
    return {
      json,
      isDescribed: !isForeign,
      names,
      keys: isOpen ? undefined : new Set(names),
      check: isForeign ? compileStandard(given) : compileZod(isZod(given) ? given : z.fromJSONSchema(json)),
    };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const hint = 'Give a zod shape, such as z.object({ … }), or a JSON Schema of type object.';
    throw new TreadleError('REST_SHAPE_INVALID', `${what} is not a usable shape: ${reason}.`, { hint, cause });
  }
}

/** Refuses a value that breaks its shape: 422, with a message for each field. */
export function refuseIssues(response: Response, issues: readonly ShapeIssue[], whole: string): false {
  for (const { message } of issues.slice(0, MOST_NAMED)) noteOthers({ message }, () => ({ rule: 'shape' }));
  for (const { path, message } of issues.slice(0, MOST_NAMED))
    response.addValidation(...(path.length === 0 ? [whole] : path), message);
  const [{ path, message } = { path: [], message: '' }] = issues;
  response.refuse({
    status: 422,
    code: 'VALIDATION_FAILED',
    message: `${path.join('.') || whole}: ${toLocalText(message)}`,
  });
  return false;
}

/** The names of a shape with what its JSON Schema says of each, as `treadle events` lists a stage. */
export function listShapeWords({ json }: CallShape): Readonly<Record<string, string>> {
  const words = (given: unknown): string => {
    const { description, type, enum: choices } = toRecord(given);
    if (typeof description === 'string') return description;
    return [...toList(choices), ...[type ?? []].flat()].map(String).join(', ');
  };
  return Object.fromEntries(Object.entries(toRecord(json.properties)).map(([name, value]) => [name, words(value)]));
}
