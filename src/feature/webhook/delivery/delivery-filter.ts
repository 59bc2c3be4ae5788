import { type RawBuilder, sql } from 'kysely';
import { parseTime } from '../../../core/clock.ts';
import type { Request } from '../../../core/request/request.ts';
import type { Refusal } from '../../../core/request/response.ts';
import { toDidYouMean } from '../../../core/text/suggest.ts';
import type { Context } from '../../../plan/feature.ts';
import { isGiven } from '../../../store/read/parse/draft.ts';
import { createRefusal } from '../errors.ts';
import { findHookApps } from '../hook-app.ts';
import { DELIVERY_STATES } from '../tables.ts';

/** Conditions on `treadle_delivery d` joined to `treadle_event e`; an empty list matches all. */
export type DeliveryTests = readonly RawBuilder<unknown>[];

/** Stage keys of text columns, compared for equality. */
const TEXTS = {
  hook: 'd.hook',
  event_id: 'd.event_id',
  receiver: 'd.receiver',
  url: 'd.url',
  type: 'e.type',
} as const;

const NUMBERS = {
  delivery_id: ['d.delivery_id', '='],
  before: ['d.delivery_id', '<'],
  after: ['d.delivery_id', '>'],
} as const;

/** Stage keys of every event that selects deliveries. */
export const FILTER_STAGE = {
  hook: 'Name of the web hook.',
  app_id: 'Id of the receiving app.',
  client_id: 'Client id of the receiving app.',
  url: "The receiver's URL.",
  receiver: 'Key of the receiver, from `webhook-receiver-search`.',
  type: 'Type of the event, such as `profile.created`.',
  event_id: 'Id of the event (`msg_…`).',
  since: 'From this time on: unix seconds, or `YYYY-MM-DD HH:MM:SS` in UTC.',
  until: 'Before this time, in the same form.',
  owner: 'Only deliveries to the apps of this account (`auth_id`).',
} as const;

/** Parses a time of a stage to unix seconds; undefined if invalid. */
export function parseStageTime(value: unknown): number | undefined {
  const text = String(value).trim();
  return /^\d{1,12}$/.test(text) ? Number(text) : parseTime(text);
}

function parseTimeTest(request: Request, key: 'since' | 'until'): RawBuilder<unknown> | Refusal | undefined {
  const value = request.getStage(key);
  if (!isGiven(value)) return undefined;
  const seconds = parseStageTime(value);
  const message = `"${String(value)}" is not a time: write unix seconds, 2026-01-15 or 2026-01-15 09:30:00 (UTC).`;
  if (seconds === undefined) return createRefusal(key, message);
  return key === 'since' ? sql`d.created_at >= ${seconds}` : sql`d.created_at < ${seconds}`;
}

function parseStateTest(request: Request): RawBuilder<unknown> | Refusal | undefined {
  const value = request.getStage('state');
  if (!isGiven(value) || value === 'any') return undefined;
  const states = Array.isArray(value) ? value.map(String) : String(value).split(',');
  const odd = states.find((state) => !DELIVERY_STATES.some((known) => known === state));
  if (odd === undefined) return sql`d.state in (${sql.join(states)})`;
  const message = `"${odd}" is not a state of a delivery. ${toDidYouMean(odd, DELIVERY_STATES)}`;
  return createRefusal('state', message);
}

function toNumberTest(request: Request, key: keyof typeof NUMBERS): RawBuilder<unknown> | undefined {
  const value = request.getStage(key);
  if (!isGiven(value)) return undefined;
  const number = Number(value);
  const [column, operator] = NUMBERS[key];
  return Number.isSafeInteger(number) ? sql`${sql.ref(column)} ${sql.raw(operator)} ${number}` : sql`1 = 0`;
}

/** Restricts deliveries by app, client id and owner: an owner sees only those of his apps. */
async function findClientTest(context: Context, request: Request): Promise<RawBuilder<unknown> | undefined> {
  const [owner, appId, clientId] = ['owner', 'app_id', 'client_id'].map((key) => request.getStage(key));
  if (owner === undefined && !isGiven(appId)) return isGiven(clientId) ? sql`d.client_id = ${clientId}` : undefined;
  const apps = await findHookApps(context, { owner, app_id: isGiven(appId) ? appId : undefined });
  const ids = apps.map((app) => app.client_id).filter((id) => !isGiven(clientId) || id === clientId);
  return ids.length === 0 ? sql`1 = 0` : sql`d.client_id in (${sql.join(ids)})`;
}

/** The deliveries that a stage selects, or why it is invalid. */
export async function parseFilter(context: Context, request: Request): Promise<DeliveryTests | Refusal> {
  const found = [
    ...Object.entries(TEXTS).map(([key, column]) => {
      const value = request.getStage(key);
      return isGiven(value) ? sql`${sql.ref(column)} = ${String(value)}` : undefined;
    }),
    ...(['delivery_id', 'before', 'after'] as const).map((key) => toNumberTest(request, key)),
    parseStateTest(request),
    parseTimeTest(request, 'since'),
    parseTimeTest(request, 'until'),
    await findClientTest(context, request),
  ].filter((test) => test !== undefined);
  const refusal = found.find((test): test is Refusal => 'status' in test);
  return refusal ?? (found as RawBuilder<unknown>[]);
}

/** `where …`, or an empty fragment. */
export const toWhere = (tests: DeliveryTests): RawBuilder<unknown> =>
  tests.length === 0 ? sql`` : sql`where ${sql.join(tests, sql` and `)}`;
