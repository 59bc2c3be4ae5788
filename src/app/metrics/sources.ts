import type { FigureSource } from '../../core/figure.ts';
import type { Log } from '../../core/log/log.ts';
import { readHashFigures } from '../../core/secret/password.ts';
import type { Database } from '../../database/database.ts';
import type { ConnectionFigures } from '../../http/connection/connections.ts';
import type { CompiledPlan } from '../../plan/compile.ts';
import type { Context } from '../../plan/feature.ts';

/** The queue of password hashes: one per process. */
const hashes: FigureSource = {
  name: 'password_hashes',
  scope: 'process',
  figures: {
    treadle_password_hashes: { help: 'Password hashes, by state: waiting, running.', type: 'gauge', labels: ['state'] },
    treadle_password_hashes_ended_total: {
      help: 'Password hashes not computed: refused because of a long wait; dropped because the client disconnected.',
      type: 'counter',
      labels: ['reason'],
    },
  },
  read() {
    const { waiting, running, refused, dropped } = readHashFigures();
    return {
      treadle_password_hashes: [
        { labels: { state: 'waiting' }, value: waiting },
        { labels: { state: 'running' }, value: running },
      ],
      treadle_password_hashes_ended_total: [
        { labels: { reason: 'refused' }, value: refused },
        { labels: { reason: 'dropped' }, value: dropped },
      ],
    };
  },
};

const listLogFigures = (log: Log): FigureSource => ({
  name: 'log',
  scope: 'process',
  figures: {
    treadle_log_dropped_lines_total: {
      help: 'Log lines dropped because their reader was too slow or missing.',
      type: 'counter',
    },
  },
  read: () => ({ treadle_log_dropped_lines_total: log.dropped?.() ?? 0 }),
});

/** Database reads: running, waiting and unanswered. */
const listReadFigures = (database: Database): FigureSource => ({
  name: 'database_reads',
  scope: 'process',
  figures: {
    treadle_database_reads: { help: 'Reads, by state: running, waiting.', type: 'gauge', labels: ['state'] },
    treadle_database_reads_ended_total: {
      help: 'Reads without an answer: refused because too many waited; dropped because the client disconnected; cut after limits.readSeconds.',
      type: 'counter',
      labels: ['reason'],
    },
  },
  read() {
    const { reads } = database;
    if (reads === undefined) return {};
    const { running, waiting, refused, dropped, cut } = reads;
    return {
      treadle_database_reads: [
        { labels: { state: 'running' }, value: running },
        { labels: { state: 'waiting' }, value: waiting },
      ],
      treadle_database_reads_ended_total: Object.entries({ refused, dropped, cut }).map(([reason, value]) => ({
        labels: { reason },
        value,
      })),
    };
  },
});

/** @param find Returns the connection figures; undefined until the server exists. */
export const listConnectionFigures = (find: () => ConnectionFigures | undefined): FigureSource => ({
  name: 'http_connections',
  scope: 'process',
  figures: {
    http_connections: { help: 'Open client connections.', type: 'gauge' },
    http_connections_most: { help: 'Maximum number of open connections: limits.connections.', type: 'gauge' },
    http_connections_ended_total: {
      help: 'Connections closed because they were idle or slow, or refused because all others were busy.',
      type: 'counter',
      labels: ['reason'],
    },
  },
  read() {
    const found = find();
    if (!found) return {};
    const { open, most, closed, refused } = found;
    return {
      http_connections: open,
      http_connections_most: most,
      http_connections_ended_total: [
        { labels: { reason: 'closed' }, value: closed },
        { labels: { reason: 'refused' }, value: refused },
      ],
    };
  },
});

/** All metric sources of a plan. */
export function listSources({ contributions }: CompiledPlan, context: Context): readonly FigureSource[] {
  const { database, log } = context.services;
  return [
    ...database.figures(),
    listReadFigures(database),
    hashes,
    listLogFigures(log),
    ...contributions.flatMap(({ figures = [] }) => figures.map((make) => make(context))),
  ];
}
