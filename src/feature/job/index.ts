import type { Feature } from '../../plan/feature.ts';
import { contributeJobs } from './plan.ts';

/** Jobs and schedules of a project's code: queued with the data, run by a worker, kept if they fail. */
export const job: Feature = { name: 'job', contribute: contributeJobs };
