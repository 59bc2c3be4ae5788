import { type Actor, findCallAccess } from '../../access/grant.ts';
import { runAs } from '../../core/access.ts';
import { EMITTED, type Listener, type Meta } from '../../core/bus.ts';
import { continueWith, toPromise } from '../../core/continue-with.ts';
import { TreadleError } from '../../core/errors.ts';
import { compilePattern } from '../../core/pattern.ts';
import type { Request } from '../../core/request.ts';
import type { Response } from '../../core/response.ts';
import { translate } from '../../core/translate.ts';
import { holdsFiles } from '../../model/field-kind.ts';
import type { Model } from '../../model/model.ts';
import { assertAnswered } from '../../plan/empty-stop.ts';
import type { CallPlan, Context, RouteContribution } from '../../plan/feature.ts';
import { compileAnswer } from './answer.ts';
import { BODY_TYPES } from './body-check.ts';
import { compileCors } from './cors.ts';
import { refuse } from './errors.ts';
import { compileGuard } from './guards.ts';
import { withStatus } from './handwritten-status.ts';
import { compileMiddleware } from './middleware.ts';
import { compileStage } from './stage.ts';
import { isRefusedToUsers, REFUSED_TO_USERS } from './user-event.ts';

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
export function toCallRoute(call: CallPlan, model: Model): RouteContribution {
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
        listener ??= compileCall(call, context);
        return listener(request, response, meta);
      };
    },
  };
}

/** Compiles a call to its listener. */
export function compileCall(call: CallPlan, context: Context): Listener {
  const guard = compileGuard(call, context);
  const stage = compileStage(call, context);
  const answer = compileAnswer(call, context);
  const perform = compileMiddleware(call, context);
  const cors = compileCors(context);
  const { name, status, handler } = call;
  const { log } = context.services;
  const run = handler ? withStatus(handler, { name, status, log }) : compileEvent(call, context);
  const performAs = (actor: Actor, request: Request, response: Response, meta: Meta): unknown => {
    cors.hold(response, actor);
    if (!stage(request, response, actor)) return false;
    const work = (): Promise<unknown> =>
      toPromise(() => run(request, response, meta) as Promise<unknown>).then((result) => {
        answer(request, response);
        return result;
      });
    return continueWith(findCallAccess(context, actor, call.isOwn), (access) =>
      runAs(access, () => perform(actor, request, response, work)),
    );
  };
  return (request, response, meta) => {
    // A call of method `all` also receives OPTIONS, which the last route answers.
    if (request.getMethod() === 'OPTIONS') return undefined;
    return continueWith(cors.mark(request, response), () =>
      continueWith(
        guard(request, response),
        (actor) => actor !== undefined && performAs(actor, request, response, meta),
      ),
    );
  };
}

function compileEvent(call: CallPlan, context: Context): Listener {
  const { event } = call.definition;
  const hint = (): string =>
    translate("Add a listener with app.on('{event}', …), or name another event in {file}.", { event, file: call.file });
  if (isRefusedToUsers(call)) {
    return async (_request, response) => void refuse(response, { status: 403, message: REFUSED_TO_USERS });
  }
  return (request, response) =>
    context.emit(event, request, response).then((emitted) => {
      assertAnswered(context, event, emitted, response);
      if (emitted !== EMITTED.unheard) return;
      const message = `Nothing listens to "${event}", the event of "${call.name}".`;
      throw new TreadleError('REST_EVENT_UNHEARD', message, { hint: hint() });
    });
}

/**
 * The last route under /rest: 404, or 405 with `Allow` if the path has calls of other methods, and OPTIONS.
 */
export function toMissingRoute(calls: readonly CallPlan[]): RouteContribution {
  const open = calls.filter(({ definition }) => definition.method === 'all').map(({ path }) => compilePattern(path));
  return {
    method: 'ALL',
    path: '/rest/**',
    description: 'REST paths without a call',
    kind: 'api',
    listen: (context) => {
      const cors = compileCors(context);
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
