import { tallyOf } from '../../access/refusal.ts';
import {
  type Access,
  type Action,
  findSurelyReadable,
  type Grant,
  getAccess,
  type RowPredicate,
} from '../../core/access.ts';
import { TreadleError } from '../../core/errors.ts';
import type { Request } from '../../core/request/request.ts';
import type { Response } from '../../core/request/response.ts';
import { noteRule } from '../../core/text/rule-note.ts';
import { toDidYouMean } from '../../core/text/suggest.ts';
import type { ColumnModel, SchemaModel } from '../../model/model.ts';
import type { Context } from '../../plan/feature.ts';
import { isGiven } from '../../store/read/parse/draft.ts';
import type { Reach } from '../../store/read/source/view.ts';

export type Stage = Readonly<Record<string, unknown>>;

/** The schema named under a stage key. Sets the failure and gives undefined if it does not exist. */
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
    noteRule(message, { rule: 'required' });
    response.refuse({ status: 422, message, validation: { [key]: message }, code: 'VALIDATION_FAILED' });
    return undefined;
  }
  const found = schemas.get(name);
  if (found) return found;
  const message = `There is no schema "${name.slice(0, 64)}". ${toDidYouMean(name, schemas.keys())}`;
  noteRule(message, { rule: 'unknown' });
  response.refuse({ status: 422, message, validation: { [key]: message }, code: 'VALIDATION_FAILED' });
  return undefined;
}

/** What people read where no role of theirs allows something: the log tells which action of which schema it was. */
export const REFUSED = 'You may not do this here.';

/** The table of uploaded files, for {@link needReach}. */
export const UPLOADS = 'treadle_upload';

/**
 * What the current access may reach of a schema by an action. Sets the failure and gives undefined if it is
 * refused.
 *
 * @throws ACCESS_MISSING if the code runs without any access.
 */
export function needReach(
  { services }: Context,
  schema: string,
  action: Action,
  response: Response,
): Reach | undefined {
  const access = getAccess();
  const grant = access.grant(schema, action);
  if (grant) return toReach(grant, access, action);
  if (access.kind === 'none') {
    throw new TreadleError('ACCESS_MISSING', `The ${action} of "${schema}" runs without access.`, {
      hint: 'Emit from a request, a job or a command.',
    });
  }
  // A page's code asked for it: its author should know that a role closes it.
  if (access.kind === 'page') {
    services.log.warn('refused-by-roles', { schema, action, roles: access.roles });
    tallyOf(services.database).add({ schema, action }, services.clock);
  }
  response.refuse({ status: 403, message: REFUSED, code: 'ACCESS_REFUSED' });
  return undefined;
}

const READS: ReadonlySet<Action> = new Set(['search', 'detail']);

/** A write reads the whole row: what it checks and reports is not what it shows. */
function unmask(rows: RowPredicate | undefined): RowPredicate | undefined {
  // The same object where nothing is masked: `isWholeVisible` compares it with the grant for details.
  if (rows?.masks === undefined) return rows;
  const { masks: _, ...held } = rows;
  return held;
}

function toReach({ rows, read, sure, write, rules }: Grant, { related, isTimed }: Access, action: Action): Reach {
  return { rows: READS.has(action) ? rows : unmask(rows), see: related, read, sure, write, rules, isTimed };
}

/** True if the REST call lets its requests ask for removed rows. */
export const isRemovedOpen = (request: Request): boolean => request.callFacts?.isRemovedOpen === true;

/** The row that the stage names, by column and value. */
export interface Key {
  readonly column: string;
  readonly value: unknown;
}

/** True if values of a column are meant to name one row. Of rows that share a slug the first is meant. */
const isNaming = ({ isUnique, field }: ColumnModel): boolean =>
  isUnique || field.type === 'uuid' || field.type === 'slug';

/**
 * The row's primary id, else the first unique column, uuid or slug in the stage. A column that may not be read
 * identifies no row: an answer would reveal which row has that value.
 */
function findKey(schema: SchemaModel, stage: Stage): Key | undefined {
  if (isGiven(stage[schema.primary])) return { column: schema.primary, value: stage[schema.primary] };
  const isReadable = (name: string): boolean => findSurelyReadable(getAccess(), schema.name)?.has(name) !== false;
  const column = schema.row.shown.find(
    (known) => isNaming(known) && isGiven(stage[known.name]) && isReadable(known.name),
  );
  return column && { column: column.name, value: stage[column.name] };
}

/** As {@link findKey}; sets the failure if there is no key. */
export function needKey(schema: SchemaModel, stage: Stage, response: Response): Key | undefined {
  const key = findKey(schema, stage);
  if (key) return key;
  const message = `${schema.primary} is required`;
  noteRule(message, { rule: 'required' });
  response.refuse({ status: 422, message, validation: { [schema.primary]: message }, code: 'VALIDATION_FAILED' });
  return undefined;
}

/** A row's id: a positive integer. Undefined for anything else. */
export function toId(value: unknown): number | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  return /^\d{1,15}$/.test(String(value)) && Number(value) > 0 ? Number(value) : undefined;
}
