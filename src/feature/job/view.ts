import { toStamp } from '../../core/clock.ts';
import type { Row } from '../../database/row-statement.ts';
import type { JobRow } from './sql.ts';

const toTime = (seconds: number | null): string | null => (seconds === null ? null : toStamp(Number(seconds) * 1000));

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
  queued: toTime(row.queued_at),
  due: toTime(row.due_at),
  started: toTime(row.started_at),
  settled: toTime(row.settled_at),
});
