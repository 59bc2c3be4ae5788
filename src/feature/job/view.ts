import { columnToStamp } from '../../core/clock.ts';
import type { Row } from '../../database/row-statement.ts';
import type { JobRow } from './sql.ts';

function parseData(data: string | null): unknown {
  return data === null ? null : JSON.parse(data);
}

/** A job, as commands show it. Times are UTC. */
export const toJobView = (row: JobRow): Row => ({
  job_id: Number(row.own_job_id),
  name: row.name,
  state: row.state,
  attempts: Number(row.attempts),
  most_attempts: Number(row.most_attempts),
  key: row.job_key,
  data: parseData(row.data),
  reason: row.reason,
  queued: columnToStamp(row.queued_at),
  due: columnToStamp(row.due_at),
  started: columnToStamp(row.started_at),
  settled: columnToStamp(row.settled_at),
});
