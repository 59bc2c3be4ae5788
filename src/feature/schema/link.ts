import type { Request } from '../../core/request/request.ts';
import type { Refusal, Response } from '../../core/request/response.ts';
import { noteRule } from '../../core/text/rule-note.ts';
import type { Database } from '../../database/database.ts';
import type { RelationModel, SchemaModel } from '../../model/model.ts';
import { findOwnerColumn } from '../../model/role/owner-column.ts';
import type { Context } from '../../plan/feature.ts';
import { getSearcher } from '../../store/read/searcher.ts';
import type { Reach } from '../../store/read/source/view.ts';
import { clearKey, deleteLinks, insertLink, readColumns, updateRow } from '../../store/write/row-sql.ts';
import { toParentConflict } from './draft.ts';
import { notOwned, toInvalid, toMissingMessage } from './errors.ts';
import { findSchema, needReach, toId } from './stage.ts';
import { isVisible } from './visibility.ts';

/** A relation and its two ends, with the stage keys of their ids. */
export interface Pair {
  readonly relation: RelationModel;
  readonly source: End;
  readonly target: End;
}

export interface End {
  readonly schema: SchemaModel;
  /** Stage key of the end's id. */
  readonly key: string;
}

/**
 * The relation from one schema to another: the one called `name`, else the one named after the target, else the
 * first.
 */
function findRelation(from: SchemaModel, to: SchemaModel, name: unknown): RelationModel | undefined {
  const found = from.relations.filter(({ target }) => target === to.name);
  if (typeof name === 'string' && name !== '') return found.find((relation) => relation.name === name);
  return found.find((relation) => relation.name === to.name) ?? found[0];
}

/**
 * The relation between the stage's `schema1` and `schema2`, in either direction. Sets the failure and gives
 * undefined if there is no such relation.
 */
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
  const called = typeof name === 'string' && name !== '' ? ` called "${name.slice(0, 64)}"` : '';
  response.refuse({
    status: 422,
    message: `${first.singular} and ${second.singular} have no relation${called}`,
    code: 'RELATION_UNKNOWN',
  });
  return undefined;
}

/** The ids of these ends in the stage. Sets the failure and gives undefined if an id is missing or invalid. */
export function needIds(ends: readonly End[], request: Request, response: Response): number[] | undefined {
  const messages: Record<string, string> = {};
  const ids = ends.map(({ schema, key }) => {
    const sent = request.getStage(key);
    const id = toId(sent);
    const isBlank = sent === undefined || sent === null || sent === '';
    if (id === undefined) {
      messages[key] = isBlank
        ? noteRule(`${key} is required`, { rule: 'required' })
        : noteRule(`${schema.singular} should be valid`, { rule: 'type', params: { type: 'id' } }, key);
    }
    return id ?? 0;
  });
  if (Object.keys(messages).length === 0) return ids;
  response.refuse(toInvalid(messages));
  return undefined;
}

/** The end that stores the link; for N:N the declaring one. */
const changedEnd = ({ relation, source, target }: Pair): End => (relation.kind === '1:N' ? target : source);

/**
 * The reason why these rows cannot be linked or unlinked: a row does not exist, the changed row belongs to
 * somebody else, the declaring row is out of reach, or the caller may not see the other row.
 */
export async function findEndError(
  pair: Pair,
  ids: { readonly source: number | undefined; readonly target: number | undefined },
  reach: Reach,
  context: Context,
): Promise<Refusal | undefined> {
  const changed = changedEnd(pair);
  for (const [end, id] of [[pair.source, ids.source] as const, [pair.target, ids.target] as const]) {
    const { schema, key } = end;
    if (id === undefined) continue;
    const isChanged = end === changed;
    if (isChanged && reach.rows?.owner !== undefined && findOwnerColumn(schema) === undefined) {
      return notOwned(schema.plural);
    }
    if (await isEndReached(context, end, id, { reach, isChanged, isDeclaring: end === pair.source })) continue;
    const message = toMissingMessage(schema.singular, id);
    return { status: 404, message, validation: { [key]: message }, code: 'ROW_MISSING' };
  }
  return undefined;
}

const withoutOwner = ({ see }: Reach): Reach => ({ see });

interface EndState {
  readonly reach: Reach;
  /** True if the link is stored in this end's row. */
  readonly isChanged: boolean;
  /** True if this end's schema declares the relation. */
  readonly isDeclaring: boolean;
}

/**
 * True if the row at one end exists and is within reach. The changed row is checked by its owner, the declaring
 * row by the rule for `link`.
 */
async function isEndReached(
  context: Context,
  { schema }: End,
  id: number,
  { reach, isChanged, isDeclaring }: EndState,
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
  // Rules hide the row that changes, too; its owner was asked above.
  return isDeclaring && isChanged ? true : isVisible(context, schema, id, isChanged ? withoutOwner(reach) : reach);
}

/** Links two rows. Fails if the child has another parent. `isChanged` is false if they were already linked. */
export async function linkRows(
  { relation, source, target }: Pair,
  sourceId: number,
  targetId: number,
  database: Database,
): Promise<{ readonly isChanged: boolean } | { readonly failure: Refusal }> {
  const { kind, table, sourceColumn = '', targetColumn = '' } = relation;
  if (kind === 'N:N') {
    return { isChanged: await insertLink(database, table, { [sourceColumn]: sourceId, [targetColumn]: targetId }) };
  }
  const isChild = kind === '1:N';
  const holder = isChild ? target.schema : source.schema;
  const [id, other, column] = isChild ? [targetId, sourceId, sourceColumn] : [sourceId, targetId, targetColumn];
  // Locks the row: if two requests link one child to two parents, the second sees the first.
  const row = await readColumns(database, holder, { column: holder.primary, value: id, isLocking: true }, [column]);
  const before = row?.[column];
  if (before === other) return { isChanged: false };
  if (isChild && before !== null && before !== undefined) {
    return { failure: toParentConflict(holder, source.schema, Number(before), source.key) };
  }
  return { isChanged: await updateRow(database, holder, id, { row: { [column]: other } }) };
}

/** Unlinks two rows, or all links of one row if the other id is undefined. Gives the number of links removed. */
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

/** The row at one end or at both. */
export interface LinkIds {
  readonly source: number | undefined;
  readonly target: number | undefined;
}

/** Ids of the rows that one row is linked with. */
export async function listLinked(
  { relation, source, target }: Pair,
  ids: LinkIds,
  { kysely }: Database,
): Promise<readonly number[]> {
  const { kind, table, sourceColumn = '', targetColumn = '' } = relation;
  const columns =
    kind === 'N:N'
      ? [sourceColumn, targetColumn]
      : kind === '1:N'
        ? [sourceColumn, target.schema.primary]
        : [source.schema.primary, targetColumn];
  const [one = '', other = ''] = ids.source === undefined ? columns.reverse() : columns;
  const rows = await kysely
    .selectFrom(table)
    .select(other)
    .where(one, '=', ids.source ?? ids.target ?? 0)
    .where(other, 'is not', null)
    .execute();
  return rows.map((row) => Number(row[other]));
}

/** Two rows that the caller may link or unlink. */
export interface LinkablePair {
  readonly pair: Pair;
  readonly source: number;
  readonly target: number;
  readonly reach: Reach;
}

/** {@link findPair} and {@link needIds}, plus the check that both rows exist: all that link and unlink need. */
export async function needLinkable(
  context: Context,
  request: Request,
  response: Response,
): Promise<LinkablePair | undefined> {
  const pair = findPair(context, request, response);
  const ids = pair && needIds([pair.source, pair.target], request, response);
  const reach = ids && needReach(context, pair.source.schema.name, 'link', response);
  if (!pair || !ids || !reach) return undefined;
  const [source = 0, target = 0] = ids;
  const error = await findEndError(pair, { source, target }, reach, context);
  if (!error) return { pair, source, target, reach };
  response.refuse(error);
  return undefined;
}

/** A 1:1 must always have its target, so it cannot be unlinked. */
export function findBond({ relation, source, target }: Pair): Refusal | undefined {
  if (relation.kind !== '1:1') return undefined;
  const message = `${source.schema.singular} needs its ${target.schema.singular}: link it with another one instead.`;
  return { status: 409, message, code: 'RELATION_NEEDED' };
}
