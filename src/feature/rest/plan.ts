import type { Problem } from '../../core/errors.ts';
import { memoize } from '../../core/memoize.ts';
import { type Batch, listBatches, toBatchCall } from '../../plan/call/batch.ts';
import { listUploadCalls, toUploadPlan } from '../../plan/call/upload-call.ts';
import type { CallPlan, Contribution, Facts } from '../../plan/feature.ts';
import { adviseAlong } from './along-advice.ts';
import { isChangingEvent } from './authenticate.ts';
import { createBatchRoute } from './batch/route.ts';
import { AnswerCache } from './cached-answer.ts';
import type { CallState } from './call.ts';
import { CallIndex } from './call-index.ts';
import { createCleanup } from './cleanup.ts';
import { compileCors } from './cors.ts';
import { createApiExpect } from './events/api-expect.ts';
import { createApiRefuse } from './events/api-refuse.ts';
import { findFixedProblems } from './fixed-parameters.ts';
import { toMissingRoute } from './missing-route.ts';
import { adviseOpenCalls } from './open-call-advice.ts';
import { createCallRoute } from './routes.ts';
import { tables } from './tables.ts';
import { createUploadRoute } from './upload.ts';
import { adviseUserEvents } from './user-event.ts';

/** A route for each call, and one for paths without a call. With `"api": false` no call is served. */
export function contribute(facts: Facts): Contribution {
  const served = facts.model.settings.api === false ? [] : facts.calls;
  const batches = listBatches(facts);
  const open = batches.filter(({ rival }) => rival === undefined);
  const uploads = listUploadCalls(served, facts.model);
  const state: CallState = {
    cache: new AnswerCache(),
    index: new CallIndex([...served, ...uploads.map(toUploadPlan), ...open.map(toBatchCall)]),
    corsOf: memoize(compileCors),
  };
  return {
    tables,
    events: [createApiExpect(state), createApiRefuse(state)],
    workers: [createCleanup],
    routes: [
      ...served.map((call) => createCallRoute(call, facts.model, state)),
      ...uploads.map((upload) => createUploadRoute(upload, state)),
      ...open.map((batch) => createBatchRoute(batch, state)),
      toMissingRoute(served, state),
    ],
    problems: [
      ...facts.calls.flatMap((call) => [...findUnreachable(call, facts), ...findUnsafe(call)]),
      ...findFixedProblems(facts),
      ...adviseOpenCalls(facts),
      ...adviseAlong(facts),
      ...adviseUserEvents(facts),
      ...batches.flatMap(adviseRival),
    ],
  };
}

/** Advice on a call that takes the path of a batch. */
function adviseRival({ access, path, rival }: Batch): Problem[] {
  if (rival === undefined) return [];
  return [
    {
      code: 'REST_BATCH_PATH',
      file: rival.file,
      path: 'path',
      message: `The call "${rival.name}" answers POST ${path}, so the batch of ${access} calls is not served.`,
      hint: 'Change the path of the call, or leave it if nobody needs the batch.',
      severity: 'advice',
    },
  ];
}

function findUnreachable(call: CallPlan, facts: Facts): Problem[] {
  if (call.definition.access !== 'user') return [];
  if (call.scopes.some((slug) => facts.model.scopes.get(slug)?.definition.access === 'user')) return [];
  return [
    {
      code: 'REST_CALL_UNREACHABLE',
      file: call.file,
      path: 'access',
      message: `The user call "${call.name}" is in no scope, so no token can call it.`,
      hint: call.handler
        ? 'Name a user scope in app.rest({ scope: … }).'
        : `List "${call.name}" in a file in config/scope: treadle scope create <slug> --access user --call ${call.name}.`,
      severity: 'advice',
    },
  ];
}

function findUnsafe(call: CallPlan): Problem[] {
  const { method, event } = call.definition;
  if (method !== 'get' || !isChangingEvent(event)) return [];
  return [
    {
      code: 'REST_METHOD_UNSAFE',
      file: call.file,
      path: 'method',
      message: `The call "${call.name}" changes data by GET, which links, caches and crawlers may repeat.`,
      hint: 'Use post, put, patch or delete.',
      severity: 'advice',
    },
  ];
}
