import { sql } from 'kysely';
import { toSeconds } from '../../core/clock.ts';
import type { FigureSource } from '../../core/figure.ts';
import type { Context } from '../../plan/feature.ts';

/** Metrics of the history's size. Reads the two ends of the table only, so that they cost the same at any size. */
export const listHistoryFigures = ({ services }: Context): FigureSource => ({
  name: 'history',
  scope: 'server',
  figures: {
    treadle_history_entries: {
      help: 'History entries, counted from the oldest id to the newest: ids that a rollback left out count too.',
      type: 'gauge',
    },
    treadle_history_oldest_seconds: {
      help: 'Age of the oldest history entry; 0 without one. The cleaner is behind if it exceeds history.days.',
      type: 'gauge',
    },
  },
  async read() {
    const { rows } = await sql<{ first: number | null; last: number | null; at: number | null }>`
      select min(history_id) as first, max(history_id) as last,
        (select created_at from treadle_history order by history_id limit 1) as at
      from treadle_history`.execute(services.database.kysely);
    const { first = null, last = null, at = null } = rows[0] ?? {};
    const now = toSeconds(services.clock.now());
    return {
      treadle_history_entries: first === null ? 0 : Number(last) - Number(first) + 1,
      treadle_history_oldest_seconds: at === null ? 0 : Math.max(0, now - Number(at)),
    };
  },
});
