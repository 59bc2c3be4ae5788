import type { Request } from '../../core/request.ts';
import type { Response } from '../../core/response.ts';
import type { Database } from '../../database/database.ts';
import type { RelationModel, SchemaModel } from '../../model/model.ts';
import type { Context } from '../../plan/feature.ts';
import { getSearcher, type Reach } from '../../query/searcher.ts';
import { findOwnerColumn } from '../../query/source.ts';
import { toParentConflict } from './draft.ts';
import { type Failure, fail, notOwned, toInvalid } from './errors.ts';
import { isVisible } from './shown.ts';
import { clearKey, deleteLinks, insertLink, readColumns, updateRow } from './sql.ts';
import { findSchema, needReach, toId } from './stage.ts';

/** A relation with both ends as a stage names them. */
export interface Pair {
  readonly relation: RelationModel;
  readonly source: End;
  readonly target: End;
}

export interface End {
  readonly schema: SchemaModel;
  /** Stage key of its id. */
  readonly key: string;
}

/** The relation from one schema to another; one named as the target, or as `name` says, before others. */
function findRelation(from: SchemaModel, to: SchemaModel, name: unknown): RelationModel | undefined {
  const found = from.relations.filter(({ target }) => target === to.name);
  if (typeof name === 'string' && name !== '') return found.find((relation) => relation.name === name);
  return found.find((relation) => relation.name === to.name) ?? found[0];
}

/** The relation that the stage's `schema1` and `schema2` mean, either way round; with the failure set where there is none. */
export function findPair(context: Context, request: Request, response: Response): Pair | undefined {
  const first = findSchema(context, request, response, 'schema1');
  const second = first && findSchema(context, request, response, 'schema2');
  if (!first || !second) return undefined;
  const name = request.getStage('relation');
  const isSelf = first === second;
  const key = (schema: SchemaModel, side: 1 | 2): string => (isSelf ? `${schema.primary}_${side}` : schema.primary);
  const one = { schema: first, key: key(first, 1) };
  const two = { schema: second, key: key(second, 2) };
  const forward = findRelation(first, second, name);
  if (forward) return { relation: forward, source: one, target: two };
  const backward = findRelation(second, first, name);
  if (backward) return { relation: backward, source: two, target: one };
  fail(response, { status: 422, message: `${first.singular} and ${second.singular} have no such relation` });
  return undefined;
}

/** The ids of the stage under these ends' keys; with the failure set where one is missing or no id. */
export function needIds(ends: readonly End[], request: Request, response: Response): number[] | undefined {
  const messages: Record<string, string> = {};
  const ids = ends.map(({ schema, key }) => {
    const sent = request.getStage(key);
    const id = toId(sent);
    const isBlank = sent === undefined || sent === null || sent === '';
    if (id === undefined) messages[key] = isBlank ? `${key} is required` : `${schema.singular} should be valid`;
    return id ?? 0;
  });
  if (Object.keys(messages).length === 0) return ids;
  fail(response, toInvalid(messages));
  return undefined;
}

/** The end whose row a link is written in; for N:N the declaring one. */
const changedEnd = ({ relation, source, target }: Pair): End => (relation.kind === '1:N' ? target : source);

/**
 * Why these rows cannot be linked or unlinked: one does not exist, the one that changes belongs to somebody else, the
 * declaring one is outside the reach, or the person may not see the other one.
 */
export async function findEndFault(
  pair: Pair,
  ids: { readonly source: number | undefined; readonly target: number | undefined },
  reach: Reach,
  context: Context,
): Promise<Failure | undefined> {
  const changed = changedEnd(pair);
  for (const [end, id] of [[pair.source, ids.source] as const, [pair.target, ids.target] as const]) {
    const { schema, key } = end;
    if (id === undefined) continue;
    const isChanged = end === changed;
    if (isChanged && reach.rows?.owner !== undefined && findOwnerColumn(schema) === undefined) {
      return notOwned(schema.plural);
    }
    if (await isEndReached(context, end, id, { reach, isChanged, isDeclaring: end === pair.source })) continue;
    return {
      status: 404,
      message: `There is no ${schema.singular} ${id}`,
      validation: { [key]: `${schema.singular} should be valid` },
    };
  }
  return undefined;
}

interface Standing {
  readonly reach: Reach;
  /** The link is written in this end's row. */
  readonly isChanged: boolean;
  /** This end's schema declares the relation. */
  readonly isDeclaring: boolean;
}

/** Whether the row at one end exists and is within reach: the changed one by its owner, the declaring one by the rule for `link`. */
async function isEndReached(
  context: Context,
  { schema }: End,
  id: number,
  { reach, isChanged, isDeclaring }: Standing,
): Promise<boolean> {
  const { database } = context.services;
  const columns = [schema.primary, ...(schema.active === undefined ? [] : [schema.active])];
  const row = await readColumns(database, schema, { column: schema.primary, value: id }, columns);
  if (!row || (schema.active !== undefined && row[schema.active] === 0)) return false;
  const { owner, anyOf } = reach.rows ?? {};
  const rows = {
    ...(isChanged && owner !== undefined ? { owner } : {}),
    ...(isDeclaring && anyOf !== undefined ? { anyOf } : {}),
  };
  if (!(await getSearcher(context.plan.model).reached(database, schema.name, [id], rows)).has(id)) return false;
  return isChanged || isVisible(context, schema, id, reach);
}

/** Links two rows; a failure where the child has another parent. `isChanged` is false where they were linked already. */
export async function linkRows(
  { relation, source, target }: Pair,
  sourceId: number,
  targetId: number,
  database: Database,
): Promise<{ readonly isChanged: boolean } | { readonly failure: Failure }> {
  const { kind, table, sourceColumn = '', targetColumn = '' } = relation;
  if (kind === 'N:N') {
    return { isChanged: await insertLink(database, table, { [sourceColumn]: sourceId, [targetColumn]: targetId }) };
  }
  const isChild = kind === '1:N';
  const holder = isChild ? target.schema : source.schema;
  const [id, other, column] = isChild ? [targetId, sourceId, sourceColumn] : [sourceId, targetId, targetColumn];
  // Locked, so that of two that link one child to two parents the second sees the first.
  const row = await readColumns(database, holder, { column: holder.primary, value: id, isLocking: true }, [column]);
  const before = row?.[column];
  if (before === other) return { isChanged: false };
  if (isChild && before !== null && before !== undefined) {
    return { failure: toParentConflict(holder, source.schema, Number(before), source.key) };
  }
  return { isChanged: await updateRow(database, holder, id, { row: { [column]: other } }) };
}

/** Parts rows: those of both ids, or all of one where the other is undefined. Gives how many. */
export async function unlinkRows(
  { relation, source, target }: Pair,
  ids: { readonly source: number | undefined; readonly target: number | undefined },
  database: Database,
): Promise<number> {
  const { kind, table, sourceColumn = '', targetColumn = '' } = relation;
  const matches: Record<string, unknown> = {};
  if (kind === 'N:N') {
    if (ids.source !== undefined) matches[sourceColumn] = ids.source;
    if (ids.target !== undefined) matches[targetColumn] = ids.target;
    return deleteLinks(database, table, matches);
  }
  if (kind === '1:N') {
    if (ids.source !== undefined) matches[sourceColumn] = ids.source;
    if (ids.target !== undefined) matches[target.schema.primary] = ids.target;
    return clearKey(database, table, sourceColumn, matches);
  }
  if (ids.source !== undefined) matches[source.schema.primary] = ids.source;
  if (ids.target !== undefined) matches[targetColumn] = ids.target;
  return clearKey(database, table, targetColumn, matches);
}

/** Two rows that may be linked or unlinked. */
export interface Linkable {
  readonly pair: Pair;
  readonly source: number;
  readonly target: number;
  readonly reach: Reach;
}

/** As {@link findPair} and {@link needIds}, then existence: what link and unlink need. */
export async function needLinkable(
  context: Context,
  request: Request,
  response: Response,
): Promise<Linkable | undefined> {
  const pair = findPair(context, request, response);
  const ids = pair && needIds([pair.source, pair.target], request, response);
  const reach = ids && needReach(pair.source.schema.name, 'link', response);
  if (!pair || !ids || !reach) return undefined;
  const [source = 0, target = 0] = ids;
  const fault = await findEndFault(pair, { source, target }, reach, context);
  if (!fault) return { pair, source, target, reach };
  fail(response, fault);
  return undefined;
}

/** A 1:1 is never without its other half. */
export function findBond({ relation, source, target }: Pair): Failure | undefined {
  if (relation.kind !== '1:1') return undefined;
  const message = `${source.schema.singular} needs its ${target.schema.singular}: link it with another instead.`;
  return { status: 409, message };
}
