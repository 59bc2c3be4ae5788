import type * as z from 'zod';
import type { Row } from '../../../database/row-statement.ts';
import { optionalLookupId, text } from '../../../plan/event/value.ts';
import type { Context } from '../../../plan/feature.ts';
import { findLastAnswer, findReceiverRows, findStanding } from '../delivery/log-sql.ts';
import { findHookApps } from '../hook-app.ts';
import { toIdentity } from './identity.ts';
import { type Receiver, toReceiver } from './receiver.ts';

/** A receiver by the current definitions. */
export interface KnownReceiver extends Receiver {
  readonly hook: string;
  readonly title: string;
  /** The app's id and title; undefined for the hook's own address. */
  readonly app: { readonly id: number; readonly title: string } | undefined;
  /** Whether the app still needs approval for the hook: nothing is sent before. */
  readonly isWaiting: boolean;
}

export const RECEIVER_STATES = ['enabled', 'failing', 'disabled', 'waiting', 'unused'] as const;
type ReceiverState = (typeof RECEIVER_STATES)[number];

/** Stage keys that select receivers. An owner that names nobody selects none. */
export const receiverStage = () => ({
  receiver: text('Key of one receiver.'),
  hook: text('Name of the web hook.'),
  url: text('Its URL.'),
  app_id: text('Id of the receiving app.'),
  client_id: text('Client id of the receiving app.'),
  owner: optionalLookupId('Only apps of this account (`auth_id`).'),
});

type ReceiverChoice = Partial<z.output<z.ZodObject<ReturnType<typeof receiverStage>>>>;

/** Whether a stage names receivers by more than their owner. */
export const isNaming = ({ receiver, hook, url, app_id, client_id }: ReceiverChoice): boolean =>
  [receiver, hook, url, app_id, client_id].some((value) => value !== undefined);

/** All receivers of hooks: the hooks' own URLs and apps. Optionally those of one owner or app. */
async function listKnown(
  context: Context,
  { owner, app_id: appId, client_id: clientId }: ReceiverChoice,
): Promise<KnownReceiver[]> {
  const isOfApp = owner !== undefined || appId !== undefined || clientId !== undefined;
  const apps = await findHookApps(context, { owner, app_id: appId, client_id: clientId });
  const { hooks } = context.plan;
  return hooks.flatMap((hook) => {
    const { name, definition } = hook;
    const identity = toIdentity(hook, hooks);
    const own = definition.url !== undefined && definition.url !== '' && !isOfApp;
    return [
      ...(own ? [{ ...toReceiver(identity, definition.url ?? '', undefined), app: undefined, isWaiting: false }] : []),
      ...apps
        .filter((app) => app.webhook !== null && app.hooks.includes(name))
        .map((app) => ({
          ...toReceiver(identity, app.webhook ?? '', app.client_id),
          secretVersion: app.secret_version,
          app: { id: app.app_id, title: app.title },
          isWaiting: app.pending?.includes(name) === true,
        })),
    ].map((receiver) => ({ ...receiver, hook: name, title: definition.title }));
  });
}

/** The receivers that a stage selects by `hook`, `receiver`, `url`, app or owner. */
export async function findKnown(context: Context, choice: ReceiverChoice): Promise<KnownReceiver[]> {
  const { hook, receiver: key, url } = choice;
  return (await listKnown(context, choice)).filter(
    (known) =>
      (hook === undefined || known.hook === hook) &&
      (key === undefined || known.key === key) &&
      (url === undefined || known.url === url),
  );
}

function toReceiverState({ isWaiting }: KnownReceiver, row: Row | undefined): ReceiverState {
  if (row !== undefined && row.disabled_at !== null) return 'disabled';
  if (isWaiting) return 'waiting';
  if (row === undefined) return 'unused';
  return row.failing_since === null ? 'enabled' : 'failing';
}

const toTime = (value: unknown): number | null => (value === null || value === undefined ? null : Number(value));

/** A receiver with its state; times in unix seconds. */
async function describeReceiver(context: Context, known: KnownReceiver, row: Row | undefined): Promise<Row> {
  const { counts, lastSuccessAt } = await findStanding(context, known.key);
  const state = toReceiverState(known, row);
  const last = state === 'failing' ? await findLastAnswer(context, known.key) : { status: null, error: null };
  return {
    receiver: known.key,
    hook: known.hook,
    title: known.title,
    url: known.url,
    client_id: known.clientId ?? null,
    app_id: known.app?.id ?? null,
    app_title: known.app?.title ?? null,
    state,
    waiting: known.isWaiting,
    failing_since: toTime(row?.failing_since),
    disabled_at: toTime(row?.disabled_at),
    disabled_reason: row?.disabled_reason ?? null,
    last_success_at: lastSuccessAt,
    last_status: last.status,
    last_error: last.error,
    rotated_at: toTime(row?.rotated_at),
    queued: counts.get('pending') ?? 0,
    missed: (counts.get('disabled') ?? 0) + (counts.get('failed') ?? 0),
  };
}

/** Receivers with their state, up to a limit. */
export async function describeReceivers(
  context: Context,
  known: readonly KnownReceiver[],
  wanted: { readonly state: string | undefined; readonly limit: number },
): Promise<Row[]> {
  const rows = await findReceiverRows(
    context,
    known.map(({ key }) => key),
  );
  const chosen = known.filter(
    (each) => wanted.state === undefined || toReceiverState(each, rows.get(each.key)) === wanted.state,
  );
  return Promise.all(chosen.slice(0, wanted.limit).map((each) => describeReceiver(context, each, rows.get(each.key))));
}
