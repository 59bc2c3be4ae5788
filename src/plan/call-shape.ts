import * as z from 'zod';
import { TreadleError } from '../core/errors.ts';
import type { Json } from '../model/json/value-schema.ts';
import { toShapeWords } from './shape-words.ts';

/** The shape of a hand-written call's body or results. */
export interface CallShape {
  /** As JSON Schema. */
  readonly json: Json;
  /** Names of the keys of the object; undefined if it may have any. */
  readonly keys: ReadonlySet<string> | undefined;
  /** What is wrong with a value: path and message. */
  check(value: unknown): readonly { readonly path: readonly string[]; readonly message: string }[];
}

const isZod = (given: object): given is z.ZodType => typeof (given as { safeParse?: unknown }).safeParse === 'function';

function toJson(given: object): Json {
  if (!isZod(given)) return given as Json;
  const { $schema: _, ...json } = z.toJSONSchema(given, { io: 'input', unrepresentable: 'any' });
  return json as Json;
}

/** Compiles a zod shape or a JSON Schema of an object. @throws REST_SHAPE_INVALID */
export function compileCallShape(given: object, what: string): CallShape {
  try {
    const json = toJson(given);
    const shape = isZod(given) ? given : z.fromJSONSchema(json as Parameters<typeof z.fromJSONSchema>[0]);
    const { properties, additionalProperties } = json as { properties?: object; additionalProperties?: unknown };
    const isOpen = properties === undefined || (additionalProperties !== undefined && additionalProperties !== false);
    return {
      json,
      keys: isOpen ? undefined : new Set(Object.keys(properties)),
      check(value) {
        const { error } = shape.safeParse(value, { error: toShapeWords });
        return (error?.issues ?? []).map(({ path, message }) => ({ path: path.map(String), message }));
      },
    };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const hint = 'Give a zod shape, such as z.object({ … }), or a JSON Schema of type object.';
    throw new TreadleError('REST_SHAPE_INVALID', `${what} is not a usable shape: ${reason}.`, { hint, cause });
  }
}
