import { compilePattern } from '../../core/bus/pattern.ts';
import type { Request } from '../../core/request/request.ts';
import type { Response } from '../../core/request/response.ts';
import { translate } from '../../core/text/translate.ts';
import type { CallPlan, Context, RouteContribution } from '../../plan/feature.ts';
import { BODY_TYPES } from './body-check.ts';
import type { CallState } from './call.ts';
import type { Cors } from './cors.ts';
import { refuse } from './errors.ts';

const METHODS = ['DELETE', 'GET', 'PATCH', 'POST', 'PUT'] as const;

/** A request that no call answers. */
interface MissedCall {
  readonly context: Context;
  readonly cors: Cors;
  readonly path: string;
  /** The methods of the path's calls; empty if it has none. */
  readonly known: readonly string[];
  /** Whether pages of any origin may know what the path has: it has nothing, or a call that needs no credentials. */
  readonly isPublic: boolean;
}

/** 404, or for a preflight what lets the page read that 404. */
async function answerNothing(missed: MissedCall, request: Request, response: Response): Promise<void> {
  const { context, cors, path } = missed;
  if (request.getMethod() === 'OPTIONS' && request.getHeader('access-control-request-method') !== undefined) {
    await cors.allow(request, response, METHODS, true);
    response.setStatus(204).setAnswered();
    return;
  }
  await cors.markPublic(request, response);
  refuse(response, {
    status: 404,
    code: 'CALL_UNKNOWN',
    message: context.plan.model.settings.api
      ? translate('There is no REST call at {path}. /developer/docs/calls lists them.', { path })
      : translate('There is no REST call at {path}.', { path }),
  });
}

/** 405 with `Allow`, or the answer to OPTIONS. */
async function answerMethod(missed: MissedCall, request: Request, response: Response): Promise<void> {
  const { context, cors, path, known, isPublic } = missed;
  const methods = [...known, ...(known.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].sort();
  response.addHeader('allow', methods.join(', '));
  if (request.getMethod() !== 'OPTIONS') {
    await (isPublic ? cors.markPublic(request, response) : cors.mark(request, response));
    refuse(response, {
      status: 405,
      code: 'METHOD_NOT_ALLOWED',
      message: translate('{path} allows only {methods}.', { path, methods: methods.join(', ') }),
    });
    return;
  }
  const isUpload = context.plan.bus.match('POST', path).isStreamed === true;
  const types = isUpload ? { POST: 'multipart/form-data' } : BODY_TYPES;
  for (const [name, value] of Object.entries(types))
    if (known.includes(name)) response.addHeader(`accept-${name.toLowerCase()}`, value);
  await cors.allow(request, response, methods, isPublic);
  response.setStatus(204).setAnswered();
}

/**
 * The last route under /rest: 404, or 405 with `Allow` if the path has calls of other methods, and OPTIONS.
 */
export function toMissingRoute(calls: readonly CallPlan[], state: CallState): RouteContribution {
  const open = calls.filter(({ definition }) => definition.method === 'all').map(({ path }) => compilePattern(path));
  return {
    method: 'ALL',
    path: '/rest/**',
    description: 'REST paths without a call',
    kind: 'api',
    listen: (context) => {
      const cors = state.corsOf(context);
      const { bus } = context.plan;
      return async (request, response, { event }) => {
        // Another feature's route, or the project's, has already answered.
        if (response.hasJson() || response.isAnswered()) return undefined;
        const path = request.getPath('string');
        const isOpen = open.some((pattern) => pattern.match(path) !== undefined);
        const known: readonly string[] = isOpen
          ? METHODS
          : bus.match('GET', path).methods.filter((method) => method !== 'ALL');
        if (event.startsWith('HEAD ') && known.includes('GET')) {
          await context.emit(`GET ${path}`, request, response);
          return undefined;
        }
        const wanted = request.getHeader('access-control-request-method');
        const wished = known.filter((method) => wanted === undefined || method === wanted);
        const isPublic = wished.some((method) => state.index.find(bus, method, path)?.definition.access === 'public');
        const missed = { context, cors, path, known, isPublic };
        await (known.length === 0 ? answerNothing : answerMethod)(missed, request, response);
        return undefined;
      };
    },
  };
}
