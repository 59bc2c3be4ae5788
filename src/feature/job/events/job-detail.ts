import type { EventContribution } from '../../../plan/feature.ts';
import { findJob } from '../sql.ts';
import { toJobView } from '../view.ts';

export const jobDetail: EventContribution = {
  name: 'job-detail',
  description: "Returns a job of the project's code.",
  stage: { job_id: 'Id of the job.' },
  results: 'The job; none if it is not there, or no longer.',
  kind: 'silent',
  listen: (context) => async (request, response) => {
    const id = Number(request.getStage('job_id'));
    const row = Number.isSafeInteger(id) ? await findJob(context.services.database, id) : undefined;
    if (row) response.succeed(toJobView(row));
    else response.refuse({ status: 404, message: `There is no job ${String(request.getStage('job_id'))}.` });
  },
};
