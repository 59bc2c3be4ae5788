import { Request } from '../../core/request/request.ts';
import { type Messages, Response } from '../../core/request/response.ts';
import type { Row } from '../../database/row-statement.ts';
import type { RelationModel, SchemaModel } from '../../model/model.ts';
import { getSearcher } from '../../store/read/searcher.ts';
import { findRows } from '../../store/write/bulk.ts';
import { type Dependent, findEnds, listDependents } from '../../store/write/dependents.ts';
import { lockToDelete } from '../../store/write/row-sql.ts';
import { decodeRow } from '../../store/write/stored-row.ts';
import type { Context } from '../feature.ts';
import { setOwnFacts } from '../own-facts.ts';
import { findRecorder, type LinkEnds, listRecorded, recordChange, recordLink } from '../recorder.ts';
import { RevertedError } from './follow.ts';
import { RowFailure } from './row-feed.ts';

const REMOVE = 'system-model-remove';
const UNLINK = 'system-relation-unlink';

/** The events that report them. */
export const CONSEQUENCES = [REMOVE, UNLINK] as const;

/** Consequences of one removal that have entries of their own in the history, so that a large one takes no longer. */
const MOST_ENTRIES = 1000;

/** Whether an event with this stage has listeners. */
export const hasListenerFor = (context: Context, event: string, stage: Row): boolean =>
  context.hasListener(event, new Request().setStage(stage));

/**
 * Runs what follows an event, and what commits with it, of a row that another event changed. Call it in that event's
 * transaction.
 *
 * @throws RowFailure if an `after` listener refuses the change.
 */
export async function tellOf(context: Context, event: string, stage: Row, results: Row): Promise<void> {
  const request = new Request().setStage(stage);
  if (event === REMOVE) setOwnFacts(request, { before: results });
  const response = new Response(request);
  response.succeed(results);
  try {
    await context.committing(event, request, response);
  } catch (error) {
    if (!(error instanceof RevertedError) || error.response !== response) throw error;
    const validation = response.getValidation() as Messages;
    const message = response.getMessage() ?? 'It was refused.';
    const more = Object.keys(validation).length === 0 ? {} : { validation };
    throw new RowFailure({ status: response.getStatus(), code: response.refusal?.code, message, ...more });
  }
}

interface Removal {
  readonly schema: SchemaModel;
  readonly id: number;
  /** As a search gives it; undefined if it has no listeners. */
  readonly row: Row | undefined;
  /** As the history keeps it; undefined if it does not. */
  readonly before: Row | undefined;
}

interface UnlinkedRows extends LinkEnds {
  readonly relation: RelationModel;
}

/** The stage of a link, as `system-relation-unlink` has it. */
function toLinkStage(context: Context, { relation, source, target }: UnlinkedRows): { stage: Row; results: Row } {
  const { schemas } = context.plan.model;
  const isSelf = relation.source === relation.target;
  const toKey = (name: string, side: 1 | 2): string => {
    const primary = schemas.get(name)?.primary ?? `${name}_id`;
    return isSelf ? `${primary}_${side}` : primary;
  };
  const results = { [toKey(relation.source, 1)]: source, [toKey(relation.target, 2)]: target };
  const stage = { schema1: relation.source, schema2: relation.target, relation: relation.name, ...results };
  return { stage, results };
}

/** Whether changes of dependents, or of what depends on them, have listeners. */
function isTold(context: Context, { relation, schema, effect }: Dependent, seen = new Set<SchemaModel>()): boolean {
  if (effect === 'refuse') return false;
  const { model } = context.plan;
  const isRecorded = (name: string): boolean => {
    const found = model.schemas.get(name);
    return found !== undefined && findRecorder(context, found) !== undefined;
  };
  if (effect === 'unlink') {
    const { stage } = toLinkStage(context, { relation, source: 0, target: 0 });
    return isRecorded(relation.source) || isRecorded(relation.target) || hasListenerFor(context, UNLINK, stage);
  }
  if (seen.has(schema)) return false;
  seen.add(schema);
  return (
    isRecorded(schema.name) ||
    hasListenerFor(context, REMOVE, { schema: schema.name }) ||
    listDependents(model, schema).some((next) => isTold(context, next, seen))
  );
}

/** Whether anything reports what the database removes or clears with a row of this schema. */
export const hasConsequences = (context: Context, schema: SchemaModel): boolean =>
  listDependents(context.plan.model, schema).some((dependent) => isTold(context, dependent));

/**
 * What the database removes or clears by itself as rows are deleted, found before the deletion, so that listeners, web hooks and
 * the history get them after it.
 */
export class Consequences {
  readonly #context: Context;
  readonly #removals: Removal[] = [];
  readonly #unlinkings: UnlinkedRows[] = [];
  readonly #gone = new Map<string, Set<number>>();
  readonly #parted = new Set<string>();
  #entries = 0;

  constructor(context: Context) {
    this.#context = context;
  }

  /** Finds them for rows of a schema that are about to be deleted. Reads nothing without listeners. */
  async find(schema: SchemaModel, ids: readonly number[]): Promise<void> {
    const { database } = this.#context.services;
    const fresh = ids.filter((id) => !this.#goneOf(schema).has(id));
    for (const id of fresh) this.#goneOf(schema).add(id);
    if (fresh.length === 0) return;
    const dependents = listDependents(this.#context.plan.model, schema).filter((one) => isTold(this.#context, one));
    if (dependents.length > 0) await lockToDelete(database, schema, fresh);
    for (const dependent of dependents) {
      const { relation, schema: other, isSource, effect } = dependent;
      const ends = await findEnds(database, dependent, fresh);
      if (effect === 'unlink') {
        for (const [deleted, id] of ends) {
          const [source, target] = isSource ? [deleted, id] : [id, deleted];
          this.#part({ relation, source, target });
        }
        continue;
      }
      const children = ends.map(([, id]) => id).filter((id) => !this.#goneOf(other).has(id));
      await this.find(other, children);
      await this.#keep(other, children);
    }
  }

  /** Both ends of a link may go. */
  #part(unlinking: UnlinkedRows): void {
    const { relation, source, target } = unlinking;
    const key = `${relation.source}.${relation.name} ${source} ${target}`;
    if (this.#parted.size !== this.#parted.add(key).size) this.#unlinkings.push(unlinking);
  }

  #goneOf({ name }: SchemaModel): Set<number> {
    const known = this.#gone.get(name) ?? new Set();
    this.#gone.set(name, known);
    return known;
  }

  /** Keeps rows as they are before they go. */
  async #keep(schema: SchemaModel, ids: readonly number[]): Promise<void> {
    const context = this.#context;
    const { database } = context.services;
    const hasListener = hasListenerFor(context, REMOVE, { schema: schema.name });
    const columns = listRecorded(context, schema);
    const recorded = columns.length > 0 ? ids.slice(0, Math.max(0, MOST_ENTRIES - this.#entries)) : [];
    this.#entries += recorded.length;
    const stored = await findRows(database, schema, recorded, columns);
    const searcher = getSearcher(context.plan.model);
    const options = { includesRemoved: true, relations: [] };
    for (const id of ids) {
      const by = { column: schema.primary, value: id };
      const row = hasListener ? await searcher.detail(database, schema.name, by, options) : undefined;
      const kept = stored.get(id);
      this.#removals.push({ schema, id, row, before: kept && decodeRow(schema, kept) });
    }
  }

  /** Reports them, in the transaction, after the deletion. @throws RowFailure if an `after` listener refuses one. */
  async tell(): Promise<void> {
    const context = this.#context;
    for (const unlinking of this.#unlinkings) {
      const { relation, source, target } = unlinking;
      // A row that went too has lost no link: it is gone.
      const holder = relation.kind === '1:N' ? relation.target : relation.source;
      const other = relation.kind === '1:N' ? target : source;
      if (relation.kind !== 'N:N' && this.#gone.get(holder)?.has(other)) continue;
      if (this.#entries < MOST_ENTRIES) recordLink(context, 'unlink', relation, { source, target });
      this.#entries += 1;
      const { stage, results } = toLinkStage(context, unlinking);
      if (hasListenerFor(context, UNLINK, stage)) await tellOf(context, UNLINK, stage, results);
    }
    for (const { schema, id, row, before } of this.#removals) {
      if (before !== undefined) recordChange(context, { action: 'remove', schema, id, before });
      const stage = { schema: schema.name, [schema.primary]: id };
      if (row !== undefined) await tellOf(context, REMOVE, stage, row);
    }
  }
}
