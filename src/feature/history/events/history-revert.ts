import * as z from 'zod';
import { pickVisible } from '../../../access/show.ts';
import { Request } from '../../../core/request/request.ts';
import { Response } from '../../../core/request/response.ts';
import type { Row } from '../../../database/row-statement.ts';
import type { SchemaModel } from '../../../model/model.ts';
import { isServerSet } from '../../../model/server-set.ts';
import { assertAnswered } from '../../../plan/emit/empty-stop.ts';
import { defineEvent, Rejection, reject } from '../../../plan/event/event.ts';
import { anything, lookupId } from '../../../plan/event/value.ts';
import type { Context } from '../../../plan/feature.ts';
import { needRowEntry } from '../find-requested.ts';
import { readRow } from '../timeline.ts';
import { readVersions } from '../visible.ts';

/** Thrown to roll back; caught by the listener. */
class RefusalError extends Error {
  readonly response: Response;
  constructor(response: Response) {
    super('refused');
    this.response = response;
  }
}

async function emit(context: Context, event: string, stage: Row): Promise<Response> {
  const request = new Request().bringStage(stage);
  const response = new Response(request);
  assertAnswered(context, event, await context.emit(event, request, response), response);
  if (response.isError()) throw new RefusalError(response);
  return response;
}

const TIMES: ReadonlySet<string> = new Set(['created', 'updated']);

/** The columns that a revert sets: the schema's own, and keys to rows that it refers to. A parent's key changes by links. */
const listSet = ({ row, active, columns }: SchemaModel): string[] => [
  ...row.shown
    .filter(
      (column) =>
        column.name !== active &&
        column.computed === undefined &&
        !isServerSet(column) &&
        !TIMES.has(column.field.type),
    )
    .map(({ name }) => name),
  ...row.keys
    .filter(({ origin, column }) => origin === 'own' && !columns.some(({ name }) => name === column))
    .map(({ column }) => column),
];

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

/** The columns to set, with their values in the version. */
const toStage = (schema: SchemaModel, version: Row, now: Row | undefined): Row =>
  Object.fromEntries(
    listSet(schema).flatMap((name) =>
      Object.hasOwn(version, name) && !isSame(version[name], now?.[name]) ? [[name, version[name] ?? null]] : [],
    ),
  );

/** Makes a row what a version was, through the events that other changes take. Gives the id, a new one if it was gone. */
async function revert(context: Context, schema: SchemaModel, id: number, version: Row): Promise<number> {
  const { active, primary, name } = schema;
  const now = await readRow(context, schema, id);
  const key = { schema: name, [primary]: id };
  if (now === undefined) {
    const made = await emit(context, 'system-model-create', { schema: name, ...toStage(schema, version, undefined) });
    return Number(made.getResults(primary));
  }
  const wasActive = active === undefined || version[active] === undefined || Number(version[active]) === 1;
  const isActive = active === undefined || Number(now[active]) === 1;
  if (wasActive && !isActive) await emit(context, 'system-model-restore', key);
  const stage = toStage(schema, version, now);
  if ((wasActive || isActive) && Object.keys(stage).length > 0)
    await emit(context, 'system-model-update', { ...key, ...stage });
  if (!wasActive && isActive) await emit(context, 'system-model-remove', key);
  return id;
}

export const historyRevert = defineEvent({
  name: 'history-revert',
  description:
    'Makes a row what it was before or after a change: by `system-model-update`, `-restore`, `-remove` or, if it is gone, `-create`, so rules and hooks apply.',
  kind: 'silent',
  stage: () =>
    z.object({
      history_id: lookupId('The entry of the change.'),
      version: anything('`before` (default) or `after` the change.'),
    }),
  results: () =>
    z
      .object({ schema: z.string(), id: z.number() })
      .describe('`schema` and `id` of the row: a new one if it was gone.'),
  async run({ history_id: id, version: wanted }, context, { response }) {
    const found = await needRowEntry(context, id);
    if (found instanceof Rejection) return found;
    const { entry, schema, rowId } = found;
    const versions = await readVersions(context, schema, entry);
    const side = wanted === 'after' ? 'after' : 'before';
    const columns = entry[side];
    const row = versions[side];
    // Nobody writes what they do not see.
    const version = row && columns && pickVisible(row, columns);
    if (version === undefined) {
      const message = 'The row did not exist then, or it has changed more than 1,000 times since.';
      return reject({ status: 422, code: 'VERSION_UNUSABLE', message });
    }
    try {
      const made = await context.services.database.transaction(() => revert(context, schema, rowId, version));
      return { schema: schema.name, id: made };
    } catch (error) {
      response.removeResults();
      if (!(error instanceof RefusalError)) throw error;
      const { response: failed } = error;
      const validation = failed.getValidation() as Record<string, string>;
      const [first] = Object.values(validation);
      const message = first ?? failed.getMessage() ?? 'It failed.';
      return reject({ status: failed.getStatus(), code: failed.refusal?.code, message, validation });
    }
  },
});
