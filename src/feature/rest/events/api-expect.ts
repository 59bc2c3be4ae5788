import * as z from 'zod';
import { isBatchCall } from '../../../plan/call/batch.ts';
import { defineEvent } from '../../../plan/event/event.ts';
import type { CallPlan, EventRecord } from '../../../plan/feature.ts';
import { judgeCaller } from '../authenticate.ts';
import { checkJsonTypeAhead, checkType } from '../body-check.ts';
import type { CallState } from '../call.ts';
import { toMark } from '../cors.ts';

const STORING = /^system-model-(?:create|update|batch)$/;

/** Whether the type of a call's body is judged. */
const hasBodyTypes = ({ definition: { event }, handler, body }: CallPlan): boolean =>
  handler === undefined ? STORING.test(event) : body !== undefined;

/** The event of an API request whose client waits with its body. */
export const createApiExpect = ({ corsOf, index }: CallState): EventRecord =>
  defineEvent({
    name: 'api-expect',
    description:
      'Refuses a request with `Expect: 100-continue` before its body is sent, if its credentials or the type of its body are refused.',
    kind: 'silent',
    stage: () => z.object({}),
    results: () => z.undefined().describe('None; an error if the request is refused.'),
    async run(_stage, context, { request, response }) {
      const call = index.find(context.plan.bus, request.getMethod(), request.getPath('string'));
      if (call === undefined) return undefined;
      await toMark(corsOf(context), call.definition.access)(request, response);
      if (!(await judgeCaller(call, context, { request, response }))) return undefined;
      if (isBatchCall(call)) checkJsonTypeAhead(request, response);
      else if (hasBodyTypes(call)) checkType(request, response);
      return undefined;
    },
  });
