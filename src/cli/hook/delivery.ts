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

const toAnswer = ({ status, error }: Delivery): string => (status === null ? (error ?? '') : String(status));

/** One line a delivery. */
export function toLines(rows: readonly Delivery[]): string[] {
  const head = ['id', 'when (UTC)', 'state', 'attempts', 'answer', 'type', 'sent to'];
  const cells = rows.map((row) => [
    String(row.delivery_id),
    toWords(row.created_at),
    row.state,
    String(row.attempts),
    toAnswer(row).slice(0, 60),
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
