import type { Listener } from '../../../core/bus/followers.ts';
import { toStamp } from '../../../core/clock.ts';
import { RowFailure } from '../../../plan/emit/row-feed.ts';
import { defineRowEvent } from '../../../plan/event/event.ts';
import type { Context } from '../../../plan/feature.ts';
import { setOwnFacts } from '../../../plan/own-facts.ts';
import { recordChange } from '../../../plan/recorder.ts';
import { getSearcher } from '../../../store/read/searcher.ts';
import { updateRow } from '../../../store/write/row-sql.ts';
import { explainTogether, findConstraint, toMissingRow } from '../errors.ts';
import { explainConflict } from '../holder.ts';
import { findSchema, needKey, needReach, type Stage } from '../stage.ts';
import { rowKeys, rowResults } from '../stage-docs.ts';
import { readVisible } from '../visible-row.ts';
import { write } from '../write.ts';

const listenRestore = (context: Context): Listener =>
  async function restore(request, response, { event }) {
    const schema = findSchema(context, request, response);
    if (!schema) return;
    const { database, clock } = context.services;
    const reach = needReach(context, schema.name, 'restore', response);
    const key = reach && needKey(schema, request.getStage() as Stage, response);
    if (!reach || !key) return;
    const searcher = getSearcher(context.plan.model);
    const options = { rows: reach.rows, includesRemoved: true, relations: [] };
    const row = await searcher.detail(database, schema.name, key, options);
    if (!row) return response.refuse(toMissingRow(schema, key));
    const id = Number(row[schema.primary]);
    const shown = await readVisible(context, schema, id, reach);
    const { active, updated } = schema;
    // An active row needs no restoring; a schema without `active` removes permanently.
    if (active === undefined || row[active] === 1) return response.succeed(shown ?? row);
    const change = { [active]: 1, ...(updated === undefined ? {} : { [updated]: toStamp(clock.now()) }) };
    setOwnFacts(request, { before: row });
    await write(
      context,
      { event, request, response },
      {
        async inside() {
          const rowFilter = searcher.rowFilter(database.dialect, schema.name, reach.rows);
          if (!(await updateRow(database, schema, id, { row: change, rowFilter }))) {
            throw new RowFailure(toMissingRow(schema, key));
          }
          recordChange(context, { action: 'restore', schema, id, before: row, after: change, columns: [active] });
          return { results: { ...row, ...change } };
        },
        show: () => (shown === undefined ? undefined : readVisible(context, schema, id, reach)),
        async explain(error) {
          const broken = findConstraint(error);
          if (broken?.kind === 'check') return explainTogether(schema, broken);
          const isTaken = broken?.kind === 'unique' || broken?.kind === 'exclude';
          return isTaken ? explainConflict(context, schema, id) : undefined;
        },
      },
    );
  };

export const systemModelRestore = defineRowEvent({
  name: 'system-model-restore',
  description: 'Restores a softly removed row.',
  keys: rowKeys,
  results: () => rowResults(),
  kind: 'self',
  listen: listenRestore,
});
