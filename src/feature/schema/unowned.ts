import { findRuler } from '../../access/rules.ts';
import { type Access, type Grant, getAccess, WHOLE } from '../../core/access.ts';
import { memoize } from '../../core/memoize.ts';
import type { Request } from '../../core/request/request.ts';
import { currentScope } from '../../core/scope.ts';
import type { Model, SchemaModel } from '../../model/model.ts';
import { findOwnerColumn } from '../../model/role/owner-column.ts';
import type { Context } from '../../plan/feature.ts';
import type { Reach } from '../../store/read/source/view.ts';

/** Nesting of a request's values that is looked through. */
const DEEPEST = 8;

const columnNames = memoize(
  ({ schemas }: Model): ReadonlySet<string> => new Set([...schemas.values()].flatMap(({ row }) => [...row.stored])),
);

/** Whether a value that a request sent is the name, or has it under a key that is not a column. */
function mentions(value: unknown, name: string, columns: ReadonlySet<string>, depth = 0): boolean {
  if (typeof value === 'string') return value === name;
  if (typeof value !== 'object' || value === null) return false;
  // Nobody knows what lies deeper.
  if (depth > DEEPEST) return true;
  return Object.entries(value).some(([key, item]) => !columns.has(key) && mentions(item, name, columns, depth + 1));
}

/** True if a schema was named by the request: by the one that the event got, or by the one that came from outside. */
function isNamed(request: Request, name: string, model: Model): boolean {
  if (request.isBrought('schema')) return true;
  const columns = columnNames(model);
  return [request, currentScope.getStore()?.request].some(
    (each) =>
      each !== undefined &&
      [each.getGet(), each.getPost(), each.getParameters()].some((sent) => mentions(sent, name, columns)),
  );
}

/** What shows through relations of rows without an owner: of a schema whose rows have owners, those of the user. */
function restrictRelated(model: Model, { related }: Access, owner: number): NonNullable<Access['related']> {
  return (name) => {
    const grant: Grant | undefined = related ? related(name) : WHOLE;
    const schema = model.schemas.get(name);
    if (grant === undefined || schema === undefined || findOwnerColumn(schema) === undefined) return grant;
    return { ...grant, rows: { ...grant.rows, owner } };
  };
}

/** Schemas of which a refusal is logged. */
const createTold = (): Set<string> => new Set();

function tell({ memory, services }: Context, schema: string, isByRequest: boolean): void {
  const told = memory.get(createTold);
  if (told.has(schema)) return;
  told.add(schema);
  const reason = isByRequest
    ? 'the request itself named the schema'
    : "the call is held to its user's own rows, and rows of the schema belong to no profile";
  const hint = 'Read them with app.asSystem, or write "own": false in the call\'s definition.';
  services.log.warn('refused-in-user-call', { schema, reason, hint });
}

/**
 * Opens a schema without owner to the project's code in a user call. The call itself reads none of its rows. The code
 * reads what a page of the same person reads, if no role rules the schema and the request did not name it.
 */
export function openUnowned(context: Context, schema: SchemaModel, request: Request, reach: Reach): Reach {
  const owner = reach.rows?.owner;
  if (owner === undefined || findOwnerColumn(schema) !== undefined) return reach;
  const { model } = context.plan;
  const access = getAccess();
  const isByCode = currentScope.getStore()?.isOwnCode === true;
  const isRuled = findRuler(model)?.isRuled(schema.name) === true;
  const isByRequest = isByCode && !isRuled && isNamed(request, schema.name, model);
  if (isByCode && !isRuled && !isByRequest)
    return { ...reach, rows: undefined, see: restrictRelated(model, access, owner) };
  tell(context, schema.name, isByRequest);
  return reach;
}
