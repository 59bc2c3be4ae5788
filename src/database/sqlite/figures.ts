import { stat } from 'node:fs/promises';
import { readCode } from '../../core/errors.ts';
import type { FigureSource } from '../../core/figure.ts';
import type { Readers } from './readers.ts';
import type { Writer } from './writer.ts';

export interface SqliteSources {
  readonly writer: Writer;
  readonly readers: Readers | undefined;
  readonly file?: string | undefined;
}

/** The log is created by the first write and may be missing between two writes. */
async function readSize(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if (readCode(error) === 'ENOENT') return 0;
    throw error;
  }
}

/** Metrics of a SQLite database. */
export function listSqliteFigures({ writer, readers, file }: SqliteSources): readonly FigureSource[] {
  const connections: FigureSource = {
    name: 'database_connections',
    scope: 'process',
    figures: {
      treadle_database_connections: {
        help: 'Connections that read, by whether a statement runs on them.',
        type: 'gauge',
        labels: ['state'],
      },
      treadle_database_writes_waiting: { help: 'Units of writing that wait for their turn.', type: 'gauge' },
    },
    read() {
      const busy = readers?.busy ?? 0;
      return {
        treadle_database_connections: [
          { labels: { state: 'busy' }, value: busy },
          { labels: { state: 'idle' }, value: (readers?.size ?? 0) - busy },
        ],
        treadle_database_writes_waiting: writer.waiting,
      };
    },
  };
  if (file === undefined) return [connections];
  const size: FigureSource = {
    name: 'database_size',
    scope: 'server',
    figures: {
      treadle_database_size_bytes: { help: 'Size of the database.', type: 'gauge' },
      treadle_database_wal_size_bytes: { help: 'Size of the write-ahead log of SQLite.', type: 'gauge' },
    },
    read: async () => ({
      treadle_database_size_bytes: (await stat(file)).size,
      treadle_database_wal_size_bytes: await readSize(`${file}-wal`),
    }),
  };
  return [connections, size];
}
