import { sql } from 'kysely';
import { Request } from '../../core/request/request.ts';
import { Response } from '../../core/request/response.ts';
import { listOf } from '../../database/bound-rows.ts';
import type { HookModel } from '../../model/model.ts';
import type { Context } from '../../plan/feature.ts';
import { toIdentity } from './receiver/identity.ts';
import { toReceiver } from './receiver/receiver.ts';

/** Deliveries per transaction, so that other writers get a turn. */
const PART = 2000;

interface OldRow {
  readonly receiver: string;
  readonly hook: string;
  readonly url: string;
  readonly client_id: string | null;
}

/** Receivers saved under a former name of a renamed hook. */
async function findMoved(context: Context, renamed: readonly HookModel[]) {
  const { dialect, kysely } = context.services.database;
  const { hooks } = context.plan;
  const names = listOf(
    dialect,
    hooks.map(({ name }) => name),
  );
  const { rows } = await sql<OldRow>`select receiver, hook, url, client_id from treadle_receiver
    where hook not in (select l.value from ${names} l) order by receiver`.execute(kysely);
  return rows.flatMap(({ receiver, hook: from, url, client_id: clientId }) => {
    const of = (hook: HookModel) => toReceiver(toIdentity(hook, hooks), url, clientId ?? undefined).key === receiver;
    const to = renamed.find(of);
    return to ? [{ receiver, from, to: to.name }] : [];
  });
}

/** Renames the hook in the lists of apps, if the project has apps. */
async function tellApps(context: Context, from: string, to: string): Promise<void> {
  if (!context.plan.bus.hasListener('webhook-app-rename')) return;
  const response = new Response();
  await context.emit('webhook-app-rename', new Request().setStage({ from, to }), response);
  if (response.isError())
    throw new Error(`Apps could not follow the web hook ${from} to ${to}: ${response.getMessage()}`);
}

/**
 * Moves the log of renamed hooks to their new names: waiting deliveries are sent, disabled receivers stay
 * disabled, both secrets keep signing, and apps stay subscribed. The receivers' rows come last, so that a
 * killed process can be continued by the next.
 */
export async function followRenames(context: Context): Promise<void> {
  const { hooks } = context.plan;
  const renamed = hooks.filter((hook) => toIdentity(hook, hooks) !== hook.name);
  if (renamed.length === 0) return;
  const { database } = context.services;
  const { kysely } = database;
  const moved = await findMoved(context, renamed);
  const names = new Map(renamed.map((hook) => [toIdentity(hook, hooks), hook.name]));
  for (const { from, to } of moved) names.set(from, to);
  for (const [from, to] of names) await tellApps(context, from, to);
  for (const { receiver, from, to } of moved) {
    for (let count = PART; count === PART; ) {
      const some = sql`select delivery_id from treadle_delivery where receiver = ${receiver} and hook = ${from} limit ${PART}`;
      const update = sql`update treadle_delivery set hook = ${to} where delivery_id in (${some}) returning delivery_id`;
      count = (await database.write(() => update.execute(kysely))).rows.length;
    }
    await database.write(() =>
      sql`update treadle_receiver set hook = ${to} where receiver = ${receiver}`.execute(kysely),
    );
  }
}
