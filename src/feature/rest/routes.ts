import type { Listener } from '../../core/bus/followers.ts';
import { compilePattern } from '../../core/bus/pattern.ts';
import { translate } from '../../core/text/translate.ts';
import { holdsFiles } from '../../model/field/field-kind.ts';
import type { Model } from '../../model/model.ts';
import type { CallPlan, RouteContribution } from '../../plan/feature.ts';
import { BODY_TYPES } from './body-check.ts';
import { type CallState, compileCall } from './call.ts';
import { refuse } from './errors.ts';

const METHODS = ['DELETE', 'GET', 'PATCH', 'POST', 'PUT'] as const;
/** Methods with forms that may contain files. */
const FORM_METHODS: ReadonlySet<string> = new Set(['all', 'post', 'put']);

/**
 * True if a form of this call may contain files: its schema has file fields, or the schema is unknown before
 * the request.
 */
function takesFiles({ handler, schema, definition }: CallPlan, { schemas }: Model): boolean {
  if (!FORM_METHODS.has(definition.method)) return false;
  const written = schema === undefined ? undefined : schemas.get(schema);
  return handler !== undefined || written === undefined || written.columns.some(holdsFiles);
}

/** The route of a call: guard, stage, event (or hand-written handler), answer. */
export function createCallRoute(call: CallPlan, model: Model, state: CallState): RouteContribution {
  return {
    method: call.definition.method.toUpperCase() as RouteContribution['method'],
    path: call.path,
    description: `${call.definition.title} (${call.definition.access} call ${call.name})`,
    kind: 'api',
    takesFiles: takesFiles(call, model),
    listen(context) {
      // At the first request: of a thousand calls a process may never answer most.
      let listener: Listener | undefined;
      return (request, response, meta) => {
        listener ??= compileCall(call, context, state);
        return listener(request, response, meta);
      };
    },
  };
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
      return async (request, response, { event }) => {
        // Another feature's route, or the project's, has already answered.
        if (response.hasJson() || response.isAnswered()) return undefined;
        const path = request.getPath('string');
        const isOpen = open.some((pattern) => pattern.match(path) !== undefined);
        const known: readonly string[] = isOpen
          ? METHODS
          : context.plan.bus.match('GET', path).methods.filter((method) => method !== 'ALL');
        if (known.length === 0) {
          await cors.mark(request, response);
          return refuse(response, {
            status: 404,
            code: 'CALL_UNKNOWN',
            message: context.plan.model.settings.api
              ? translate('There is no REST call at {path}. /developer/docs/calls lists them.', { path })
              : translate('There is no REST call at {path}.', { path }),
          });
        }
        if (event.startsWith('HEAD ') && known.includes('GET')) {
          await context.emit(`GET ${path}`, request, response);
          return undefined;
        }
        const methods = [...known, ...(known.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].sort();
        response.addHeader('allow', methods.join(', '));
        if (request.getMethod() !== 'OPTIONS') {
          await cors.mark(request, response);
          return refuse(response, {
            status: 405,
            code: 'METHOD_NOT_ALLOWED',
            message: translate('{path} allows only {methods}.', { path, methods: methods.join(', ') }),
          });
        }
        for (const [name, value] of Object.entries(BODY_TYPES))
          if (known.includes(name)) response.addHeader(`accept-${name.toLowerCase()}`, value);
        await cors.allow(request, response, methods);
        response.setStatus(204).setAnswered();
        return undefined;
      };
    },
  };
}
