import type { Request } from '../../core/request.ts';
import type { Response } from '../../core/response.ts';
import { toDidYouMean } from '../../core/suggest.ts';
import { fieldKinds } from '../../model/field-kind.ts';
import type { SchemaModel } from '../../model/model.ts';
import type { Context, Restriction } from '../../plan/feature.ts';
import { fail } from './errors.ts';

export type Stage = Readonly<Record<string, unknown>>;

/** The schema that the stage names under a key; undefined, with the failure set, where it names none. */
export function findSchema(
  context: Context,
  request: Request,
  response: Response,
  key = 'schema',
): SchemaModel | undefined {
  const name = request.getStage(key);
  const { schemas } = context.plan.model;
  if (typeof name !== 'string' || name === '') {
    const message = `${key.charAt(0).toUpperCase()}${key.slice(1)} is required.`;
    fail(response, { status: 422, message, validation: { [key]: message } });
    return undefined;
  }
  const found = schemas.get(name);
  if (found) return found;
  const message = `There is no schema "${name.slice(0, 64)}". ${toDidYouMean(name, schemas.keys())}`;
  fail(response, { status: 422, message, validation: { [key]: message } });
  return undefined;
}

/** What the request is held to; undefined where it may reach every row. */
export const getRestriction = (request: Request): Restriction | undefined =>
  request.get('restrict') as Restriction | undefined;

/** Which row the stage names. */
export interface Key {
  readonly column: string;
  readonly value: unknown;
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

/** The row's primary id, else the first unique column (or uuid) that the stage has; undefined where it has none. */
export function findKey(schema: SchemaModel, stage: Stage): Key | undefined {
  if (isGiven(stage[schema.primary])) return { column: schema.primary, value: stage[schema.primary] };
  const column = schema.columns.find(
    ({ name, isUnique, field }) =>
      (isUnique || field.type === 'uuid') && !fieldKinds[field.type].isSecret && isGiven(stage[name]),
  );
  return column && { column: column.name, value: stage[column.name] };
}

/** As {@link findKey}, with the failure set where there is none. */
export function needKey(schema: SchemaModel, stage: Stage, response: Response): Key | undefined {
  const key = findKey(schema, stage);
  if (key) return key;
  const message = `${schema.primary} is required`;
  fail(response, { status: 422, message, validation: { [schema.primary]: message } });
  return undefined;
}

/** A row's id: a whole number from 1; undefined for anything else. */
export function toId(value: unknown): number | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  return /^\d{1,15}$/.test(String(value)) && Number(value) > 0 ? Number(value) : undefined;
}
