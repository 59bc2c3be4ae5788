import * as z from 'zod';
import type { SchemaModel } from '../../model/model.ts';
import type { EventFacts } from './facts.ts';

/** The object shape within an optional one. */
function findObject(shape: unknown): z.ZodObject | undefined {
  if (shape instanceof z.ZodObject) return shape;
  return shape instanceof z.ZodOptional ? findObject(shape.unwrap()) : undefined;
}

const readDescription = (shape: unknown): string => (shape instanceof z.ZodType ? (shape.description ?? '') : '');

/**
 * The keys of an event's stage with a sentence about each; `filter[auth_active]` for a key within `filter`.
 *
 * @param schema The schema whose keys an event on rows has. Default: placeholders, such as `<column>`.
 */
export function describeStage(
  { stage }: Pick<EventFacts, 'stage'>,
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

/** Names of the keys of an event's stage. @param schema As of {@link describeStage}. */
export const listStageKeys = (event: Pick<EventFacts, 'stage' | 'keys'>, schema?: SchemaModel): readonly string[] =>
  event.keys?.(schema) ?? Object.keys(describeStage(event, schema));

/** A sentence about the results of an event. */
export const describeResults = ({ results }: Pick<EventFacts, 'results'>): string => results().description ?? '';
