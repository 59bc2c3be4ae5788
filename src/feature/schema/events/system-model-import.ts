import type { Listener } from '../../../core/bus.ts';
import type { Response } from '../../../core/response.ts';
import type { Row } from '../../../database/database.ts';
import type { Context, EventContribution } from '../../../plan/feature.ts';
import { getSearcher } from '../../../query/searcher.ts';
import { explainWrite, RowFailure, toTools } from '../draft.ts';
import { fail, notFound, notOwned, succeed } from '../errors.ts';
import {
  checkForeign,
  type ImportInput,
  type ImportRow,
  matchRows,
  prepareImportRow,
  readImportRow,
} from '../import.ts';
import type { RowPlans } from '../row-plans.ts';
import { insertRow, updateRow } from '../sql.ts';
import { findSchema, getRestriction } from '../stage.ts';
import { schemaStage } from '../stage-words.ts';

/** Names the bad rows: messages by row (from 0) and column. */
function failRows(response: Response, bad: readonly ImportRow[]): void {
  const [first] = bad;
  const example = first && Object.values(first.messages)[0];
  const message = bad.length === 1 ? `Row ${(first?.index ?? 0) + 1}: ${example}` : `${bad.length} rows are not valid.`;
  fail(response, { status: 422, message });
  for (const { index, messages } of bad) response.addValidation(String(index), messages);
}

interface Ready {
  readonly row: ImportRow;
  readonly stored: Row;
}

async function prepareRows(rows: readonly ImportRow[], input: ImportInput): Promise<Ready[]> {
  await matchRows(rows, input);
  await checkForeign(rows, input);
  const ready: Ready[] = [];
  for (const row of rows) ready.push({ row, stored: await prepareImportRow(row, input) });
  return ready;
}

async function writeRow({ row, stored }: Ready, { plan, database }: ImportInput): Promise<number> {
  try {
    if (row.id === undefined) return await insertRow(database, plan.schema, stored);
    if (!(await updateRow(database, plan.schema, row.id, stored))) throw new RowFailure(notFound);
    return row.id;
  } catch (error) {
    const failure = await explainWrite(error, plan, stored, database);
    if (!failure) throw error;
    throw new RowFailure({ ...failure, message: `Row ${row.index + 1}: ${failure.message}` });
  }
}

async function writeRows(ready: readonly Ready[], input: ImportInput): Promise<Record<string, unknown>> {
  const data: Record<string, unknown>[] = [];
  for (const item of ready) {
    const id = await writeRow(item, input);
    const action = item.row.id === undefined ? 'create' : 'update';
    data.push({ action, row: { [input.plan.schema.primary]: id }, error: false });
  }
  const created = data.filter(({ action }) => action === 'create').length;
  return { data, new: created, old: data.length - created };
}

const listenImport = (context: Context, plans: RowPlans): Listener =>
  async function importRows(request, response, { event }) {
    const schema = findSchema(context, request, response);
    if (!schema) return;
    if (getRestriction(request)) return fail(response, notOwned(schema.plural));
    const sent = request.getStage('rows');
    if (!Array.isArray(sent) || sent.length === 0) {
      return fail(response, { status: 422, message: 'Data is empty', validation: { rows: 'Data is empty' } });
    }
    const { database, clock } = context.services;
    const input = {
      plan: plans(schema, clock),
      source: getSearcher(context.plan.model).source(schema.name),
      database,
      tools: toTools(context, request),
      ignoresUnknown: request.getStage('ignore_unknown') === true,
    };
    const rows = sent.map((raw, index) => readImportRow(raw, index, input));
    const ready = await prepareRows(rows, input);
    const bad = rows.filter(({ messages }) => Object.keys(messages).length > 0);
    if (bad.length > 0) return failRows(response, bad);
    if (request.getStage('dry_run') === true) {
      const created = rows.filter(({ id }) => id === undefined).length;
      return succeed(response, { data: [], new: created, old: rows.length - created });
    }
    try {
      await database.write(async () => {
        succeed(response, await writeRows(ready, input));
        await context.committing(event, request, response);
      });
    } catch (error) {
      response.removeResults();
      if (!(error instanceof RowFailure)) throw error;
      fail(response, error.failure);
    }
  };

export const systemModelImport = (plans: RowPlans): EventContribution => ({
  event: 'system-model-import',
  description: 'Creates and changes many rows, all or none.',
  stage: {
    ...schemaStage,
    rows: 'List of rows; keys are columns or names of fields. A row with a known id or unique value is changed.',
    ignore_unknown: 'true leaves keys that are no column out.',
    dry_run: 'true checks every row and writes none.',
  },
  results: '`data` with action, row (its id) and error for each, and the counts `new` and `old`.',
  commits: 'self',
  listen: (context) => listenImport(context, plans),
});
