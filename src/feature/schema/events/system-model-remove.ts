import type { Listener } from '../../../core/bus/followers.ts';
import { toStamp } from '../../../core/clock.ts';
import type { Refusal } from '../../../core/request/response.ts';
import { toLocalText, translate } from '../../../core/text/translate.ts';
import type { Row } from '../../../database/row-statement.ts';
import type { SchemaModel } from '../../../model/model.ts';
import { CONSEQUENCES, Consequences, hasConsequences } from '../../../plan/emit/consequence.ts';
import { RowFailure } from '../../../plan/emit/row-feed.ts';
import { defineRowEvent } from '../../../plan/event/event.ts';
import type { Context } from '../../../plan/feature.ts';
import { setOwnFacts } from '../../../plan/own-facts.ts';
import { listRecorded, recordChange } from '../../../plan/recorder.ts';
import type { CompiledFilter } from '../../../store/read/parse/predicate.ts';
import { getSearcher } from '../../../store/read/searcher.ts';
import type { ReturningClause } from '../../../store/read/sql/returning.ts';
import { deleteOne } from '../../../store/write/one-row.ts';
import { deleteRow, updateRow } from '../../../store/write/row-sql.ts';
import { decodeRow } from '../../../store/write/stored-row.ts';
import { findConstraint, toMissingRow } from '../errors.ts';
import { findRecording } from '../record.ts';
import { describeReferences } from '../references.ts';
import { findSchema, needKey, needReach, type Stage } from '../stage.ts';
import { rowKeys, rowResults } from '../stage-docs.ts';
import { readVisible, toVisibleChange } from '../visible-row.ts';
import { findReturningAlone, write } from '../write.ts';

/**
 * Removes a row, softly if the schema has an `active` field. Gives the row as it is now, or as it last was.
 *
 * @throws RowFailure if the row no longer exists.
 */
async function removeRow(
  context: Context,
  schema: SchemaModel,
  {
    row,
    held: rowFilter,
    consequences,
  }: { readonly row: Row; readonly held: CompiledFilter | undefined; readonly consequences: Consequences },
): Promise<Row> {
  const { database, clock } = context.services;
  const id = Number(row[schema.primary]);
  if (schema.active === undefined) {
    await consequences.find(schema, [id]);
    const columns = listRecorded(context, schema);
    const deleted = await deleteRow(database, schema, id, { rowFilter, columns: [schema.primary, ...columns] });
    if (!deleted) throw new RowFailure(toMissingRow(schema, { value: id }));
    recordChange(context, { action: 'remove', schema, id, before: decodeRow(schema, deleted) });
    return row;
  }
  const stamp = schema.updated === undefined ? {} : { [schema.updated]: toStamp(clock.now()) };
  const change = { [schema.active]: 0, ...stamp };
  if (!(await updateRow(database, schema, id, { row: change, rowFilter })))
    throw new RowFailure(toMissingRow(schema, { value: id }));
  recordChange(context, {
    action: 'remove',
    schema,
    id,
    before: { [schema.active]: 1 },
    after: change,
    columns: [schema.active],
  });
  return { ...row, ...change };
}

/** The failure for a row that other rows still refer to. */
function toReferenced({ singular, primary }: SchemaModel, row: Row, references: string | undefined): Refusal {
  const message = translate(
    '{singular} {id} cannot be removed: it is referenced by {rows}. Remove or unlink those first.',
    {
      singular: toLocalText(singular),
      id: String(row[primary]),
      rows: references ?? translate('other rows, directly or through rows that would be removed with it'),
    },
  );
  return { status: 409, message, code: 'ROW_REFERENCED' };
}

/** Whether the project's code may hear of rows that go with another one, or lose a link to it. */
const mayTell = ({ plan: { bus } }: Context): boolean => CONSEQUENCES.some((event) => bus.followers.hasFollower(event));

const listenRemove = (context: Context): Listener =>
  async function remove(request, response, { event }) {
    const schema = findSchema(context, request, response);
    if (!schema) return;
    const { database } = context.services;
    const reach = needReach(context, schema.name, 'remove', response);
    const key = reach && needKey(schema, request.getStage() as Stage, response);
    if (!reach || !key) return;
    const searcher = getSearcher(context.plan.model);
    const row = await searcher.detail(database, schema.name, key, { rows: reach.rows, relations: [] });
    if (!row) return response.refuse(toMissingRow(schema, key));
    const shown = await readVisible(context, schema, Number(row[schema.primary]), reach);
    const holding = { model: context.plan.model, schema, database };
    const rowFilter = searcher.rowFilter(database.dialect, schema.name, reach.rows);
    // The references of a row that stays, removed, are read in the transaction.
    const isOne = schema.active === undefined && !hasConsequences(context, schema);
    const returning = isOne ? findReturningAlone(context, { event, request, schema, reach }) : undefined;
    const removeAlone = (one: ReturningClause): Promise<Row | undefined> | undefined => {
      const record = findRecording(context, { action: 'remove', schema });
      const id = Number(row[schema.primary]);
      return deleteOne(database, schema, id, { rowFilter, returning: one, record })?.then((gone) => gone && row);
    };
    setOwnFacts(request, { before: row });
    await write(
      context,
      { event, request, response },
      {
        alone: returning && (() => removeAlone(returning)),
        async inside() {
          if (schema.active !== undefined) {
            const references = await describeReferences(row, { ...holding, mode: 'soft' });
            if (references !== undefined) throw new RowFailure(toReferenced(schema, row, references));
          }
          const consequences = new Consequences(context);
          const removed = await removeRow(context, schema, { row, held: rowFilter, consequences });
          await consequences.tell();
          return { results: removed };
        },
        show: (removed) => shown && toVisibleChange(shown, row, removed),
        async explain(error) {
          if (findConstraint(error)?.kind !== 'foreign') return undefined;
          return toReferenced(schema, row, await describeReferences(row, { ...holding, mode: 'hard' }));
        },
        runsOthers: schema.active === undefined && mayTell(context),
      },
    );
  };

export const systemModelRemove = defineRowEvent({
  name: 'system-model-remove',
  description: 'Removes a row: softly if the schema has an active field, otherwise permanently.',
  keys: rowKeys,
  results: () => rowResults(),
  kind: 'self',
  listen: listenRemove,
});
