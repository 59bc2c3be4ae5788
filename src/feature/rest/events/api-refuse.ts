import * as z from 'zod';
import type { Bus } from '../../../core/bus/bus.ts';
import { defineEvent } from '../../../plan/event/event.ts';
import type { EventRecord } from '../../../plan/feature.ts';
import type { CallState } from '../call.ts';

/** Endpoints whose answers pages of apps read. */
const OPEN_ENDPOINTS: ReadonlySet<string> = new Set(['/oauth/token', '/oauth/revoke', '/oauth/userinfo']);

/** Whether only the route that answers 404 has the path, or none. */
const isNowhere = (bus: Bus, path: string): boolean => /^(?:\/rest\/\*\*)?$/.test(bus.match('GET', path).route ?? '');

/** The event of an API request that is refused before its route runs. */
export const createApiRefuse = ({ corsOf, index }: CallState): EventRecord =>
  defineEvent({
    name: 'api-refuse',
    description:
      'Adds CORS headers to a request that is refused before its route runs, for example because its body is broken.',
    kind: 'silent',
    stage: () => z.object({}),
    results: () => z.undefined().describe('None, only headers.'),
    async run(_stage, context, { request, response }) {
      const path = request.getPath('string');
      // Servers, not pages, exchange codes in the classic form.
      const isStrict = context.plan.model.settings.oauth.mode === 'strict';
      const isCall = path.startsWith('/rest/') && (isStrict || path !== '/rest/access');
      if (!isCall && !OPEN_ENDPOINTS.has(path)) return undefined;
      const { mark, markPublic } = corsOf(context);
      const { bus } = context.plan;
      const call = isCall ? index.find(bus, request.getMethod(), path) : undefined;
      const isPublic = isCall && (call === undefined ? isNowhere(bus, path) : call.definition.access === 'public');
      await (isPublic ? markPublic : mark)(request, response);
      return undefined;
    },
  });
