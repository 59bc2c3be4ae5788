import type { Application } from '../application.ts';
import { toRowLines } from '../own-table.ts';

/** A job, as `job-search` and `job-detail` return it. Times are UTC. */
export interface JobView {
  readonly job_id: number;
  readonly name: string;
  readonly state: string;
  readonly attempts: number;
  readonly most_attempts: number;
  readonly reason: string | null;
  readonly due: string;
  readonly started: string | null;
  readonly settled: string | null;
}

const toTime = ({ state, due, started, settled }: JobView): string => {
  if (settled !== null) return `${state} ${settled}`;
  return state === 'running' ? `running since ${started ?? due}` : `${state}, due ${due}`;
};

/** One line a job. */
export const toJobLines = (app: Application, jobs: readonly JobView[]): string[] =>
  toRowLines(app, 'job', jobs, {
    cells: { state: toTime, attempts: (job) => `${job.attempts} of ${job.most_attempts}` },
  });
