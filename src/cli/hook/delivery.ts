import { systemClock, toStamp } from '../../core/clock.ts';
import type { Application } from '../application.ts';
import { toTable } from '../terminal.ts';

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
export function toLines(rows: readonly Delivery[]): string[] {
  const head = ['id', 'when (UTC)', 'state', 'attempts', 'answer', 'type', 'sent to'];
  const cells = rows.map((row) => [
    String(row.delivery_id),
    toWords(row.created_at),
    row.state,
    String(row.attempts),
    toShort(toAnswer(row)),
    row.type,
    row.url,
  ]);
  return toTable([head, ...cells]);
}

const LOOK_MS = 100;

const pause = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, LOOK_MS);
  });

/**
 * Sends these deliveries here, and no others that are due, and gives them with what came of it. What the server has
 * taken meanwhile is waited for.
 *
 * @param before How many attempts each had.
 * @param seconds How long is waited for the server, at most.
 */
export async function sendAndWait(
  app: Application,
  before: ReadonlyMap<number, number>,
  seconds: number,
): Promise<Delivery[]> {
  const { sendNow } = await import('../../boot.ts');
  await sendNow(app, { deliveryIds: [...before.keys()] });
  return waitForAttempts(app, before, seconds);
}

/**
 * Waits until each of these deliveries had an attempt, by this process or by the server, and gives them.
 *
 * @param before How many attempts each had.
 * @param seconds At most so long.
 */
export async function waitForAttempts(
  app: Application,
  before: ReadonlyMap<number, number>,
  seconds: number,
): Promise<Delivery[]> {
  const end = systemClock.now() + seconds * 1000;
  for (;;) {
    const rows: Delivery[] = [];
    for (const id of before.keys()) {
      const answer = await app.emit('webhook-delivery-search', { delivery_id: id });
      const row = answer.getResults('rows', 0) as Delivery | undefined;
      if (row) rows.push(row);
    }
    const isOpen = rows.some(
      (row) => row.state === 'pending' && Number(row.attempts) <= (before.get(Number(row.delivery_id)) ?? 0),
    );
    if (!isOpen || systemClock.now() >= end) return rows;
    await pause();
  }
}
