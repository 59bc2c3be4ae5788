import { findCaller } from '../access/person.ts';
import { asSystem } from '../core/access.ts';
import { EMITTED, type Emitted } from '../core/bus/bus.ts';
import { TreadleError } from '../core/errors.ts';
import type { Log } from '../core/log/log.ts';
import { Request } from '../core/request/request.ts';
import { type FlashKind, Response } from '../core/request/response.ts';
import { findOriginal } from '../core/request/twin.ts';
import { currentScope } from '../core/scope.ts';
import type { Model } from '../model/model.ts';
import type { App, GlobalPackage, Mail, Package, VirtualMethod } from './app.ts';
import type { Draft } from './draft.ts';
import { createResponseMissing } from './emit/emit-arguments.ts';
import { createOwnWork } from './emit/own-work.ts';
import type { Emit } from './emit/typed-emit.ts';
import { noteGiven } from './emit/unit.ts';
import { isHandler } from './handler/handler.ts';
import { addCall, addHook } from './handler/own-call.ts';
import { createOwnCode } from './handler/own-listener.ts';
import type { HandwrittenCall } from './handwritten.ts';
import { createOwnRows } from './own-rows.ts';
import { createRegistrar, type Registrar } from './registrar.ts';
import { findCallMistake } from './registration.ts';

/** @see App.query */
function findReader(draft: Draft): App['query'] {
  const { services, watching } = draft.context();
  watching.noteRead();
  return services.database.reader as unknown as App['query'];
}

function currentExchange(method: string): { request: Request; response: Response } {
  const { request, response } = currentScope.getStore() ?? {};
  if (request && response) return { request, response };
  throw new TreadleError('GLOBAL_OUTSIDE_REQUEST', `package('global').${method} was called outside a request.`, {
    hint: 'Call it inside a listener or a route.',
  });
}

/**
 * Only a path of this site: browsers open another site for `//host`, `/\host` and some control characters.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused.
const SITE_PATH = /^\/(?![/\\])[^\\\u0000-\u001f\u007f]*$/;

/** True if a text is a path of this site that no browser can read as another site. */
const isSitePath = (path: string): boolean => SITE_PATH.test(path);

/** The package named `global`: methods for the current request of any controller. */
function createGlobalPackage(draft: Draft): GlobalPackage {
  const global: GlobalPackage = {
    flash(message: string, kind: FlashKind = 'info') {
      currentExchange('flash').request.setSession('flash', { message, type: kind });
    },
    redirect(path: string) {
      if (!isSitePath(path)) {
        throw new TreadleError('REDIRECT_REFUSED', 'A redirect must be a path of this site.', {
          status: 400,
          hint: 'Use a path such as /articles; for another site use response.setRedirect(url).',
        });
      }
      currentExchange('redirect').response.setRedirect(path);
    },
    formToken() {
      const { request } = currentExchange('formToken');
      return draft.context().services.sessions.formToken(request);
    },
    method(name: string, fn: VirtualMethod) {
      draft.checkOpen(`The method "${name}" of the package global`);
      global[name] = fn;
      return global;
    },
  };
  return global;
}

export interface FacadeOptions {
  readonly draft: Draft;
  readonly model: Model;
  readonly log: Log;
  /** Renders `src/template/<name>.html` of a package's folder. */
  readonly view: (folder: string, name: string, data: object) => string;
  /** `file:line` of the calling project code. */
  readonly place?: () => string | undefined;
  /** Default false. */
  readonly isSandbox?: boolean;
}

/** Creates the object that a package's functions receive: the app and their own package in one. */
export type MakePackage = (name: string, folder: string) => App & Package;

function createPackage(draft: Draft, options: FacadeOptions, name: string, folder: string): Package {
  const made: Package = {
    method(method: string, fn: VirtualMethod) {
      draft.checkOpen(`The method "${method}" of the package ${name}`);
      made[method] = fn;
      return made;
    },
    view: (template: string, data: object = {}) => options.view(folder, template, data),
    folder: () => folder,
  };
  return made;
}

function getPackage(draft: Draft, name: string): Package {
  const found = draft.packages.get(name);
  if (found) return found;
  throw new TreadleError('PACKAGE_UNKNOWN', `There is no package "${name}".`, {
    hint: `Packages: ${['global', ...draft.packages.keys()].join(', ')}.`,
  });
}

/** In a user call an event notes that the project's code emitted it: code may read more than the call itself. */
function emitFromCode(draft: Draft, event: string, request: Request, response: Response): Promise<Emitted> {
  const emit = (): Promise<Emitted> => draft.context().emit(event, findOriginal(request), findOriginal(response));
  const scope = currentScope.getStore();
  if (scope?.access?.kind !== 'user' || scope.isOwnCode) return emit();
  return currentScope.run({ ...scope, isOwnCode: true }, emit);
}

/** Emits with the given request and response; with a stage instead, creates both and returns the response. */
function createEmit(draft: Draft, warn: Registrar['warn']): Emit {
  const emitStage = async (event: string, stage: Readonly<Record<string, unknown>>): Promise<Response> => {
    const request = new Request().setStage({ ...stage });
    const response = new Response(request);
    await emitFromCode(draft, event, request, response);
    noteGiven(response);
    return response;
  };
  /** Often nothing awaits an emit at the top of a controller: it is a warning, as its rejection names no place. */
  const emitEarly = (event: string, stage: Readonly<Record<string, unknown>>): Promise<Response> => {
    const refused = emitStage(event, stage);
    const hint = 'Emit inside a listener, a route or a job, not at the top of a controller.';
    warn({ code: 'PLAN_NOT_ACTIVE', message: `"${event}" is emitted while the project is being loaded.`, hint });
    refused.catch(() => {});
    return refused;
  };
  return ((event: string, first: unknown, response?: Response) => {
    if (response !== undefined) return emitFromCode(draft, event, first as Request, response);
    // A handler may pass its stage as the request.
    if (first instanceof Request && findOriginal(first) === first) throw createResponseMissing(event);
    return (draft.isOpen ? emitEarly : emitStage)(event, first as Readonly<Record<string, unknown>>);
  }) as Emit;
}

/** @throws MAIL_REFUSED, MAIL_MISSING */
async function sendMail(emit: Emit, { data = {}, ...rest }: Mail): Promise<void> {
  const { to, subject, template, language } = rest;
  const response = await emit('mail-send', { to, subject, template, language, data });
  if (!response.isError()) return;
  const status = response.getStatus();
  const code = status === 503 ? 'MAIL_MISSING' : 'MAIL_REFUSED';
  throw new TreadleError(code, `The mail "${template}" was not queued: ${response.getMessage()}`, { status });
}

/** Emits another route's event, unless a gate of its path refuses. */
async function reroute(draft: Draft, route: string, ...pair: [Request, Response]): Promise<Emitted> {
  const [request, response] = [findOriginal(pair[0]), findOriginal(pair[1])];
  const context = draft.context();
  const passes = context.findGate(route.slice(route.indexOf(' ') + 1));
  if (passes && !(await passes(request, response))) return EMITTED.incomplete;
  return context.emit(route, request, response);
}

/** Creates the {@link App} that a project's own code registers on and later emits through. */
export function createFacade(options: FacadeOptions): { app: App; makePackage: MakePackage } {
  const { draft, model, log } = options;
  const global = createGlobalPackage(draft);
  const place = (): string | undefined => options.place?.();
  const findFile = (): string => place()?.replace(/:\d+$/, '') ?? 'app';
  const registrar = createRegistrar(draft, place);
  const routes =
    (method: string) =>
    (path: string, ...given: readonly unknown[]): App => {
      registrar.addRoutes(method, path, given);
      return app;
    };
  const emit = createEmit(draft, registrar.warn);
  const app: App = {
    ...createOwnWork({ draft, emit, place, app: () => app }),
    ...createOwnCode({ draft, place, register: registrar.register, app: () => app }),
    ...createOwnRows({ context: draft.context, emit }),
    get query() {
      return findReader(draft);
    },
    get: routes('get'),
    post: routes('post'),
    put: routes('put'),
    patch: routes('patch'),
    delete: routes('delete'),
    all: routes('all'),
    route(method, path, listener, priority) {
      registrar.addRoutes(method, path, [listener], priority);
      return app;
    },
    on: registrar.on,
    emit,
    reroute: (method, path, request, response) => reroute(draft, `${method.toUpperCase()} ${path}`, request, response),
    asSystem,
    isSandbox: options.isSandbox === true,
    caller: () => findCaller(draft.context()),
    now: () => draft.context().services.clock.now(),
    mail: (mail) => sendMail(emit, mail),
    rest(call: HandwrittenCall, handler: unknown) {
      draft.checkOpen(`The call ${call?.method} ${call?.path}`);
      const found = findCallMistake(call, handler);
      if (found) registrar.warn(found.mistake);
      if (!found?.isLost && isHandler(handler)) addCall(draft, call, { handler, file: findFile() });
      return app;
    },
    webhook(hook) {
      draft.checkOpen(`The web hook ${hook.type}`);
      addHook(draft, hook, findFile());
      return app;
    },
    package: ((name: string) => (name === 'global' ? global : getPackage(draft, name))) as App['package'],
    settings: model.settings,
    model,
    log,
  };
  const makePackage: MakePackage = (name, folder) => {
    const made = createPackage(draft, options, name, folder);
    draft.packages.set(name, made);
    return Object.assign(Object.create(app), { method: made.method, view: made.view, folder: made.folder }) as App &
      Package;
  };
  return { app, makePackage };
}
