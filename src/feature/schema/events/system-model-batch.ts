import * as z from 'zod';
import type { Listener } from '../../../core/bus/followers.ts';
import { Request } from '../../../core/request/request.ts';
import { Response } from '../../../core/request/response.ts';
import { noteRule } from '../../../core/text/rule-note.ts';
import { cleanAhead, shareCleaned } from '../../../model/field/html-ahead.ts';
import { hashAhead, MOST_PASSWORDS, shareHashes } from '../../../model/field/password-hashes.ts';
import type { SchemaModel } from '../../../model/model.ts';
import { MOST_ITEMS } from '../../../plan/call/batch.ts';
import { assertAnswered } from '../../../plan/emit/empty-stop.ts';
import { defineRowEvent } from '../../../plan/event/event.ts';
import { row } from '../../../plan/event/value.ts';
import type { Context } from '../../../plan/feature.ts';
import { BATCH_ACTIONS, type Operation, readOperations } from '../batch.ts';
import { findSchema } from '../stage.ts';
import { schemaKey } from '../stage-docs.ts';

/** Thrown to roll the whole batch back; caught by the listener. */
class BatchFailed extends Error {}

interface Batch {
  readonly context: Context;
  readonly schema: SchemaModel;
  readonly request: Request;
}

/**
 * Fills the stage of an operation. On create, a user call sets the token's own profile; no operation changes a
 * row's owner.
 */
function fillStage(inner: Request, { schema, request }: Batch, { action, id, values }: Operation): void {
  const sent: Record<string, unknown> = { ...values };
  delete sent[schema.primary];
  const facts = request.callFacts;
  if (facts?.isUser) delete sent.profile_id;
  if (request.isBrought('operations')) inner.bringStage(sent);
  else inner.setStage(sent);
  if (facts?.isUser && action === 'create') inner.setStage('profile_id', request.getStage('profile_id'));
  // Values fixed by the call's definition override what was sent, as in a single write; the operation chooses the
  // row.
  inner.setStage({ ...facts?.fixed });
  inner.setStage({ schema: schema.name, ...(id === undefined ? {} : { [schema.primary]: id }) });
}

/** Runs one operation as its own event, so that the listeners, hooks and rules of a single call apply. */
async function operate(batch: Batch, operation: Operation): Promise<Response> {
  const { context, request } = batch;
  const inner = new Request({
    method: request.getMethod(),
    path: request.getPath('string'),
    server: () => request.getServer() as Record<string, unknown>,
  });
  fillStage(inner, batch, operation);
  inner.callFacts = request.callFacts;
  if (request.exists('actor')) inner.set('actor', request.get('actor'));
  shareHashes(request, inner);
  shareCleaned(request, inner);
  const response = new Response(inner);
  const name = `system-model-${operation.action}`;
  assertAnswered(context, name, await context.emit(name, inner, response), response);
  return response;
}

/** Copies the failure of one operation to the batch's response, each message at its place in the body. */
function tellFailure(response: Response, failed: Response, index: number, { action }: Operation): void {
  const at = ['operations', String(index)];
  const messages = Object.entries(failed.getValidation() as Readonly<Record<string, unknown>>);
  const place = action === 'create' || action === 'update' ? [...at, 'values'] : at;
  for (const [column, message] of messages) response.addValidation(...place, column, message);
  const message = failed.getMessage() ?? 'The operation failed.';
  if (messages.length === 0) response.addValidation(...at, noteRule(message, { rule: 'failed' }));
  const status = failed.getStatus();
  response.refuse({
    status: status >= 400 ? status : 422,
    code: failed.refusal?.code,
    message: `operations[${index}]: ${message}`,
  });
}

/**
 * Hashes the batch's passwords and cleans its long HTML before the transaction. Sets the failure and gives false
 * if there are too many passwords.
 */
async function prepareBatch({ context, schema, request }: Batch, operations: readonly Operation[], response: Response) {
  const { passwords, html } = context.services;
  const rows = operations.map(({ values }) => values);
  await cleanAhead(request, schema.columns, rows, html);
  if (await hashAhead(request, schema.columns, rows, passwords)) return true;
  const message = `A batch may set at most ${MOST_PASSWORDS} passwords. Send the rest in another batch.`;
  noteRule(message, { rule: 'limit', params: { max: MOST_PASSWORDS } });
  response.refuse({ status: 422, code: 'VALIDATION_FAILED', message, validation: { operations: message } });
  return false;
}

/**
 * PostgreSQL aborts one of two deadlocked batches. `write` runs it again, but only if no project code took part.
 */
function openUnit({ plan, services: { database } }: Context): (unit: () => Promise<void>) => Promise<void> {
  const isOwn = BATCH_ACTIONS.every((action) => plan.bus.isOwn(`system-model-${action}`));
  return (unit) => (isOwn && database.writesInParallel ? database.write(unit) : database.transaction(unit));
}

const listenBatch = (context: Context): Listener =>
  async function batch(request, response, { event }) {
    const schema = findSchema(context, request, response);
    const operations = schema && readOperations(request.getStage('operations'), response);
    if (!schema || !operations) return;
    const given = { context, schema, request };
    if (!(await prepareBatch(given, operations, response))) return;
    try {
      await openUnit(context)(async () => {
        const rows: unknown[] = [];
        for (const [index, operation] of operations.entries()) {
          const done = await operate(given, operation);
          if (done.isError()) {
            tellFailure(response, done, index, operation);
            throw new BatchFailed();
          }
          rows.push(done.getResults() ?? null);
        }
        response.succeed({ rows });
        await context.committing(event, request, response);
      });
    } catch (error) {
      response.removeResults();
      if (!(error instanceof BatchFailed)) throw error;
    }
  };

export const systemModelBatch = defineRowEvent({
  name: 'system-model-batch',
  description: 'Creates, changes, removes and restores rows of a schema in one transaction: all or nothing.',
  keys: () => ({
    ...schemaKey(),
    operations: () =>
      z
        .array(
          z.object({
            action: z.enum(BATCH_ACTIONS),
            id: z.union([z.number(), z.string()]).optional(),
            values: row().optional(),
          }),
        )
        .describe(
          `List of 1 to ${MOST_ITEMS}, each \`{action, id, values}\`; action is create, update, remove or restore. ${MOST_PASSWORDS} passwords at most.`,
        ),
  }),
  results: () => z.object({ rows: z.array(row()) }).describe('`rows`: the row of each operation, in order.'),
  kind: 'self',
  listen: listenBatch,
});
