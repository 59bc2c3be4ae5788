import { type Action, findReadable, getAccess } from '../../core/access.ts';
import { TreadleError } from '../../core/errors.ts';
import type { Request } from '../../core/request.ts';
import type { Response } from '../../core/response.ts';
import { toDidYouMean } from '../../core/suggest.ts';
import type { SchemaModel } from '../../model/model.ts';
import type { Context } from '../../plan/feature.ts';
import type { Reach } from '../../query/searcher.ts';
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

/** The table of uploaded files, for {@link needReach}. */
export const UPLOADS = 'treadle_upload';

/**
 * What the work that runs now may reach of a schema by an action; undefined, with the failure set, where it is refused.
 *
 * @throws ACCESS_MISSING where the work has no access at all: nobody asked for it.
 */
export function needReach(schema: string, action: Action, response: Response): Reach | undefined {
  const access = getAccess();
  const grant = access.grant(schema, action);
  if (grant) return { rows: grant.rows, see: access.related, read: grant.read, write: grant.write };
  if (access.kind === 'none') {
    throw new TreadleError('ACCESS_MISSING', `Nobody asked for the ${action} of "${schema}": the work has no access.`, {
      hint: 'Emit from a request, a job or a command.',
    });
  }
  fail(response, { status: 403, message: `You may not ${action} ${schema}.` });
  return undefined;
}

/** Whether the REST call opens removed rows to what its requests ask for. */
export const isRemovedOpen = (request: Request): boolean => request.callFacts?.isRemovedOpen === true;

/** Which row the stage names. */
export interface Key {
  readonly column: string;
  readonly value: unknown;
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

/**
 * The row's primary id, else the first unique column (or uuid) that the stage has; undefined where it has none. A column
 * that may not be read names no row: an answer would tell which row has that value.
 */
function findKey(schema: SchemaModel, stage: Stage): Key | undefined {
  if (isGiven(stage[schema.primary])) return { column: schema.primary, value: stage[schema.primary] };
  const isReadable = (name: string): boolean => findReadable(getAccess(), schema.name)?.has(name) !== false;
  const column = schema.row.shown.find(
    ({ name, isUnique, field }) => (isUnique || field.type === 'uuid') && isGiven(stage[name]) && isReadable(name),
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
