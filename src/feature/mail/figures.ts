import { sql } from 'kysely';
import { toSeconds } from '../../core/clock.ts';
import type { FigureSource } from '../../core/figure.ts';
import type { Database } from '../../database/database.ts';
import type { Context } from '../../plan/feature.ts';

const DAY = 86_400;

/** How the mails stand. */
export interface MailFigures {
  readonly waiting: number;
  /** Seconds that the oldest waiting mail has waited; 0 if none waits. */
  readonly oldestSeconds: number;
  /** Given up in the last 24 hours. */
  readonly failed: number;
  /** Handed to the mail server in the last 24 hours. */
  readonly sent: number;
}

/** Reads the figures. @param now Unix seconds. */
export async function readMailFigures({ kysely }: Database, now: number): Promise<MailFigures> {
  const { rows } = await sql<{ state: string; count: number; oldest: number | null }>`
    select state, count(*) as count, min(created_at) as oldest from treadle_mail
    where state = 'waiting' or (state in ('sent', 'failed') and settled_at >= ${now - DAY})
    group by state`.execute(kysely);
  const find = (state: string) => rows.find((row) => row.state === state);
  const waiting = find('waiting');
  return {
    waiting: Number(waiting?.count ?? 0),
    oldestSeconds: waiting === undefined ? 0 : Math.max(0, now - Number(waiting.oldest)),
    failed: Number(find('failed')?.count ?? 0),
    sent: Number(find('sent')?.count ?? 0),
  };
}

/** Metrics of the mails. */
export const listMailFigures = ({ services }: Context): FigureSource => ({
  name: 'mail',
  scope: 'server',
  figures: {
    treadle_mails: {
      help: 'Mails: waiting; sent and failed (given up) in the last 24 hours.',
      type: 'gauge',
      labels: ['state'],
    },
    treadle_mail_oldest_waiting_seconds: {
      help: 'Seconds for which the oldest waiting mail has waited; 0 if none waits.',
      type: 'gauge',
    },
  },
  async read() {
    const now = toSeconds(services.clock.now());
    const { waiting, failed, sent, oldestSeconds } = await readMailFigures(services.database, now);
    return {
      treadle_mails: [
        { labels: { state: 'waiting' }, value: waiting },
        { labels: { state: 'sent' }, value: sent },
        { labels: { state: 'failed' }, value: failed },
      ],
      treadle_mail_oldest_waiting_seconds: oldestSeconds,
    };
  },
});
