import { CompiledQuery } from 'kysely';
import type { FigureSource } from '../../core/figure.ts';
import type { Database } from '../database.ts';
import type { ConnectionPool } from './pool.ts';

const SIZE = CompiledQuery.raw('select pg_database_size(current_database())::text as bytes');

/** Metrics of a PostgreSQL database, without the log size, which belongs to the server. */
export function listPostgresFigures(database: Database, pool: ConnectionPool): readonly FigureSource[] {
  return [
    {
      name: 'database_connections',
      scope: 'process',
      figures: {
        treadle_database_connections: {
          help: 'Connections of the pool, by whether somebody has them; those that are not open yet count as idle.',
          type: 'gauge',
          labels: ['state'],
        },
        treadle_database_connections_waiting: {
          help: 'Statements and units that wait for a connection.',
          type: 'gauge',
        },
      },
      read: () => ({
        treadle_database_connections: [
          { labels: { state: 'busy' }, value: pool.busy },
          { labels: { state: 'idle' }, value: pool.size - pool.busy },
        ],
        treadle_database_connections_waiting: pool.waiting,
      }),
    },
    {
      name: 'database_size',
      scope: 'server',
      figures: { treadle_database_size_bytes: { help: 'Size of the database.', type: 'gauge' } },
      async read() {
        const [row] = await database.run<{ readonly bytes: string }>(SIZE);
        return { treadle_database_size_bytes: Number(row?.bytes ?? 0) };
      },
    },
  ];
}
