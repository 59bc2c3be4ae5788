import * as z from 'zod';
import type { SchemaModel } from '../../model/model.ts';
import type { EventRecord } from '../feature.ts';

/** The object shape within an optional one. */
function findObject(shape: unknown): z.ZodObject | undefined {
  if (shape instanceof z.ZodObject) return shape;
  return shape instanceof z.ZodOptional ? findObject(shape.unwrap()) : undefined;
}

const readDescription = (shape: unknown): string => (shape instanceof z.ZodType ? (shape.description ?? '') : '');

/**
 * The keys of an event's stage with a sentence about each; `filter[auth_active]` for a key within `filter`.
 *
 * @param schema The schema whose keys an event on rows has. Default: names that stand for them, such as `<column>`.
 */
export function describeStage(
  { stage }: Pick<EventRecord, 'stage'>,
  schema?: SchemaModel,
): Readonly<Record<string, string>> {
  const describe = (shape: z.ZodObject, toName: (key: string) => string): [string, string][] =>
    Object.entries(shape.shape).flatMap(([key, value]): [string, string][] => {
      const description = readDescription(value);
      const within = description === '' ? findObject(value) : undefined;
      return within ? describe(within, (inner) => `${toName(key)}[${inner}]`) : [[toName(key), description]];
    });
  return Object.fromEntries(describe(stage(schema), (key) => key));
}

/** A sentence about the results of an event. */
export const describeResults = ({ results }: Pick<EventRecord, 'results'>): string => results().description ?? '';
