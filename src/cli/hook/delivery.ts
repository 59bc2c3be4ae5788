import { systemClock, toStamp } from '../../core/clock.ts';
import { type Application, getResults, refuseFailure } from '../application.ts';
import { createUsageError, EXIT } from '../failure.ts';
import { toRowLines } from '../own-table.ts';
import type { Outcome } from '../spec.ts';

/** A delivery as `webhook-delivery-search` gives it; times in unix seconds. */
export interface Delivery {
  readonly delivery_id: number;
  readonly event_id: string;
  readonly hook: string;
  readonly type: string;
  readonly url: string;
  readonly client_id: string | null;
  readonly state: string;
  readonly attempts: number;
  readonly next_at: number | null;
  readonly status: number | null;
  readonly error: string | null;
  readonly created_at: number;
}

/** One attempt of a delivery; times in unix seconds. */
export interface Attempt {
  readonly number: number;
  readonly at: number;
  readonly status: number | null;
  readonly error: string | null;
  readonly milliseconds: number;
  readonly request_head: Readonly<Record<string, string>> | null;
  readonly response_head: Readonly<Record<string, string>> | null;
  readonly response_body: string | null;
}

/** @throws CLI_USAGE if the log does not have it. */
export async function getDelivery(
  app: Application,
  id: string,
): Promise<Delivery & { readonly payload: string; readonly attempt: readonly Attempt[] }> {
  const answer = await app.emit('webhook-delivery-detail', { delivery_id: id });
  if (answer.isError() && answer.getStatus() === 404)
    throw createUsageError(`There is no delivery ${id}; the log holds 30 days.`, 'See: treadle webhook deliveries');
  refuseFailure(answer);
  return answer.getResults<Awaited<ReturnType<typeof getDelivery>>>();
}

export const toWords = (seconds: number | null): string => (seconds === null ? '' : toStamp(Number(seconds) * 1000));

/** The status, and the error: one that ended without an attempt has the status of the attempt before. */
const toAnswer = ({ status, error }: Delivery): string => [status, error].filter((part) => part !== null).join(' ');

/** Characters of an answer that a line of the list has. */
const ANSWER_LENGTH = 60;

/** A text that fits, ended at a word. */
export function toShort(text: string): string {
  if (text.length <= ANSWER_LENGTH) return text;
  const cut = text.slice(0, ANSWER_LENGTH);
  // A text without blanks, such as an address, is cut where it is.
  const blank = cut.lastIndexOf(' ');
  return `${cut.slice(0, blank > ANSWER_LENGTH / 2 ? blank : ANSWER_LENGTH - 1).replace(/[\s,;:]+$/, '')}…`;
}

/** One line a delivery. */
export const toLines = (app: Application, rows: readonly Delivery[]): string[] =>
  toRowLines(app, 'webhook-delivery', rows, { hasHead: true, cells: { status: (row) => toShort(toAnswer(row)) } });

const POLL_MS = 100;
/** How long to wait until a server that runs has sent what it claimed, and until it has created an event's deliveries. */
const [SEND_MS, CREATE_MS] = [20_000, 5000];

/** What is sent: an event to its receivers, or deliveries with the number of attempts that each had. */
type DeliverySource = { readonly eventId: string } | { readonly before: ReadonlyMap<number, number> };

async function findSent(app: Application, sending: DeliverySource): Promise<Delivery[]> {
  const search = async (stage: object): Promise<Delivery[]> =>
    (await getResults<{ rows: Delivery[] }>(app, 'webhook-delivery-search', { ...stage })).rows;
  if ('eventId' in sending) return search({ event_id: sending.eventId, limit: 100 });
  const rows: Delivery[] = [];
  for (const id of sending.before.keys()) rows.push(...(await search({ delivery_id: id })));
  return rows;
}

/** Sends now, and nothing else that is due, then waits for what the server sends meanwhile. Returns the deliveries. */
export async function sendAndWait(app: Application, sending: DeliverySource): Promise<Delivery[]> {
  const { sendNow } = await import('../../boot.ts');
  const [eventId, before] =
    'eventId' in sending ? [sending.eventId, new Map<number, number>()] : [undefined, sending.before];
  await sendNow(app, { ...(eventId === undefined ? {} : { eventId }), deliveryIds: [...before.keys()] });
  const start = systemClock.now();
  for (;;) {
    const rows = await findSent(app, sending);
    const isOpen = ({ delivery_id: id, state, attempts }: Delivery): boolean =>
      state === 'pending' && Number(attempts) <= (before.get(Number(id)) ?? 0);
    const isMissing = rows.length === 0 && eventId !== undefined;
    const passed = systemClock.now() - start;
    if (!(isMissing ? passed < CREATE_MS : rows.some(isOpen) && passed < SEND_MS)) return rows;
    await new Promise<void>((resolve) => {
      setTimeout(resolve, POLL_MS);
    });
  }
}

/** The outcome of a command that sent deliveries; it failed if one was not delivered. */
export function toResult(
  app: Application,
  rows: readonly Delivery[],
  more: Readonly<Record<string, unknown>> = {},
): Outcome {
  const isFailed = rows.some((row) => row.state !== 'delivered');
  return {
    data: { ...more, error: isFailed, rows },
    lines: toLines(app, rows),
    next: [],
    exitCode: isFailed ? EXIT.failed : EXIT.done,
  };
}
