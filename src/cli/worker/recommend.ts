/**
 * How many workers to start. On SQLite one process writes at a time, and two that take turns share no commits: they write
 * slower than one. On PostgreSQL each worker takes a processor.
 *
 * @param engine Name of the database, with its version.
 */
export function recommendWorkers(engine: string, processors: number): string {
  if (engine.startsWith('SQLite')) {
    return '1: on SQLite two write slower than one. Take --workers 2 only if reads need more than one processor';
  }
  return processors > 1
    ? `up to ${processors}, one for each processor: treadle start --workers ${processors}`
    : '1: this machine has one processor';
}
