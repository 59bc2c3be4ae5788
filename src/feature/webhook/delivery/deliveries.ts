import { sql } from 'kysely';
import { parseTime } from '../../../core/clock.ts';
import { DELIVERY_BADGES } from '../../../page/delivery-view.ts';
import { optionalId, optionalLookupId, pageLimit, readBy, text, words } from '../../../plan/event/value.ts';
import type { Context } from '../../../plan/feature.ts';
import { numberColumn, secondsColumn, stateColumn, textColumn } from '../../../plan/table/column.ts';
import { type Test, table, toTests } from '../../../plan/table/table.ts';
import { findHookApps } from '../hook-app.ts';
import { DELIVERY_STATES } from '../tables.ts';
import { findAttempts } from './log-sql.ts';

/** Parses a time of a stage to unix seconds; undefined if invalid. */
export function parseStageTime(value: unknown): number | undefined {
  const given = String(value).trim();
  return /^\d{1,12}$/.test(given) ? Number(given) : parseTime(given);
}

const time = (description: string) =>
  readBy(
    parseStageTime,
    (given) => `"${given}" is not a time: write unix seconds, 2026-01-15 or 2026-01-15 09:30:00 (UTC).`,
    description,
  );

/** Stage keys of every event that selects deliveries. */
export const deliveryStage = () => ({
  hook: text('Name of the web hook.'),
  app_id: text('Id of the receiving app.'),
  client_id: text('Client id of the receiving app.'),
  url: text("The receiver's URL."),
  receiver: text('Key of the receiver, from `webhook-receiver-search`.'),
  type: text('Type of the event, such as `profile.created`.'),
  event_id: text('Id of the event (`msg_…`).'),
  since: time('From this time on: unix seconds, or `YYYY-MM-DD HH:MM:SS` in UTC.'),
  until: time('Before this time, in the same form.'),
  owner: optionalLookupId('Only deliveries to the apps of this account (`auth_id`).'),
});

/** States of deliveries, as a stage has them. */
export const deliveryStates = (description: string) => {
  const refuse = (state: string): string => `"${state}" is not a state of a delivery.`;
  return words({ known: DELIVERY_STATES, all: 'any', refuse }, description);
};

const facts = {
  name: 'webhook-delivery',
  source: 'treadle_delivery',
  from: sql`treadle_delivery d join treadle_event e on e.event_id = d.event_id`,
  key: 'delivery_id',
  columns: {
    delivery_id: numberColumn('d.delivery_id', { label: 'Id', only: 'line' }),
    event_id: textColumn('d.event_id'),
    receiver: textColumn('d.receiver'),
    hook: textColumn('d.hook'),
    url: textColumn('d.url', { label: 'Sent to', only: 'line' }),
    client_id: textColumn('d.client_id'),
    state: stateColumn('d.state', DELIVERY_BADGES, { label: 'State' }),
    attempts: numberColumn('d.attempts', { label: 'Attempts' }),
    attempts_before: numberColumn('d.attempts_before'),
    next_at: secondsColumn('d.next_at'),
    status: numberColumn('d.status', { label: 'Answer' }),
    error: textColumn('d.error'),
    created_at: secondsColumn('d.created_at', { label: 'When', line: 'when (UTC)' }),
    settled_at: secondsColumn('d.settled_at'),
    type: textColumn('e.type', { label: 'Event', line: 'type' }),
    sequence: numberColumn('e.sequence'),
  },
  order: { page: ['type'], line: ['delivery_id', 'created_at', 'state', 'attempts', 'status', 'type', 'url'] },
  filters: {
    hook: { column: 'hook', operator: 'eq', label: 'Web hook' },
    event_id: { column: 'event_id', operator: 'eq', label: 'Event id' },
    receiver: { column: 'receiver', operator: 'eq' },
    url: { column: 'url', operator: 'eq' },
    type: { column: 'type', operator: 'eq', label: 'Type' },
    client_id: { column: 'client_id', operator: 'eq', label: 'Client id' },
    state: { column: 'state', operator: 'in' },
    since: { column: 'created_at', operator: 'gte' },
    until: { column: 'created_at', operator: 'lt' },
    delivery_id: { column: 'delivery_id', operator: 'eq' },
    before: { column: 'delivery_id', operator: 'lt' },
    after: { column: 'delivery_id', operator: 'gt' },
  },
} as const;

/** The apps of an owner, or one app: an owner sees only deliveries to his apps. */
interface AppChoice {
  readonly owner?: number | undefined;
  readonly app_id?: string | undefined;
}

async function findAppTests(context: Context, { owner, app_id: appId }: AppChoice): Promise<Test[]> {
  if (owner === undefined && appId === undefined) return [];
  const ids = (await findHookApps(context, { owner, app_id: appId })).map((app) => app.client_id);
  return [ids.length === 0 ? sql`1 = 0` : sql`d.client_id in (${sql.join(ids)})`];
}

/** Conditions on `treadle_delivery d` joined to `treadle_event e` of a stage with {@link deliveryStage}. */
export const findDeliveryTests = async (context: Context, stage: AppChoice): Promise<Test[]> => [
  ...toTests(facts, { ...stage }),
  ...(await findAppTests(context, stage)),
];

/** The log of web hooks. */
export const deliveries = table(facts, {
  search: {
    description: 'Lists the deliveries of the last 30 days, newest first.',
    kind: 'reads',
    takesNull: true,
    stage: () => ({
      ...deliveryStage(),
      state: deliveryStates('`pending`, `delivered`, `failed` or `disabled`; separate several by commas.'),
      delivery_id: optionalId('One delivery; its row then has the list `attempt`.'),
      before: optionalId('Only deliveries with a lower id: the next page.'),
      after: optionalId('Only deliveries with a higher id.'),
      limit: pageLimit('At most, 1 to 100. Default 50.'),
    }),
    results:
      '`rows`: deliveries with `type` and `sequence` of their event, times in unix seconds; `next`: the `before` of the next page, or null.',
    tests: (stage, context) => findAppTests(context, stage),
    async also(rows, context, { delivery_id: deliveryId }) {
      const [row] = rows;
      const isOne = deliveryId !== undefined && row !== undefined;
      return isOne ? [{ ...row, attempt: await findAttempts(context, Number(row.delivery_id)) }] : rows;
    },
  },
});
