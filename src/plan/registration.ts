import { compilePattern } from '../core/bus/pattern.ts';
import type { Problem } from '../core/errors.ts';
import { suggest, toDidYouMean } from '../core/text/suggest.ts';

/** A mistake in the arguments of `app.get`, `app.on` and the like, without its place. */
export interface Mistake {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}

/** The statuses that a hand-written call may say. */
export const STATUSES: readonly unknown[] = [200, 201, 202];

const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'all', 'head', 'options'];

function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 64));
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'function' ? `the function ${value.name || '(anonymous)'}` : `an ${typeof value}`;
}

const toRoute = (code: string, message: string, hint: string): Mistake => ({ code, message, hint });

/** The first segment of a path that looks like a parameter but is matched as it is written. */
function findFalseParameter(path: string): string | undefined {
  const isFalse = (segment: string): boolean =>
    /^(?:\{.*\}|<.*>|\[.*\])$/.test(segment) || (segment.startsWith(':') && !/^:[A-Za-z_]\w*$/.test(segment));
  return path.split('/').find(isFalse);
}

/** Mistakes in a route's path. The route stays, because another mistake may be on purpose. */
function findPathMistake(name: string, path: string, isWatching: boolean): Mistake | undefined {
  if (!path.startsWith('/')) {
    const hint = /^[a-z]+:\/\//i.test(path) ? 'Write the path alone, such as "/articles".' : `Write "/${path}".`;
    return toRoute('PLAN_ROUTE_PATH', `No request meets ${name}: its path does not start with "/".`, hint);
  }
  const extra = /[?#]/.exec(path)?.[0];
  if (extra !== undefined) {
    const hint = `Write "${path.slice(0, path.indexOf(extra))}"; a listener reads the query with request.getStage().`;
    return toRoute('PLAN_ROUTE_PATH', `No request meets ${name}: a path ends before "${extra}".`, hint);
  }
  const segment = findFalseParameter(path);
  if (segment !== undefined) {
    const hint = `A parameter is a whole segment: /:${segment.replace(/\W+/g, '_').replace(/^_+|_+$/g, '') || 'name'}.`;
    return toRoute(
      'PLAN_ROUTE_PATH',
      `"${segment}" in ${name} is not a parameter: it is matched as it is written.`,
      hint,
    );
  }
  const { names } = compilePattern(path);
  const twice = names.find((parameter, index) => names.indexOf(parameter) !== index);
  if (twice !== undefined) {
    const message = `${name} names the parameter ":${twice}" twice, so the first value is lost.`;
    return toRoute('PLAN_ROUTE_PATH', message, 'Rename one.');
  }
  if (!isWatching && /^\/rest(?:\/|$)/i.test(path)) {
    const hint = `For a call write app.rest({ access, method, path: "${path.slice(5) || '/'}" }, listener). For a page choose another path.`;
    return toRoute(
      'PLAN_ROUTE_REST',
      `${name} is a page under /rest, where only calls belong: it has no guard and no docs.`,
      hint,
    );
  }
  return undefined;
}

/** A mistake in a listener, or undefined. @param name The route or event, for messages. */
export function findListenerMistake(name: string, listener: unknown): Mistake | undefined {
  if (typeof listener === 'function') return undefined;
  const code = 'PLAN_LISTENER_INVALID';
  if (typeof listener === 'number') {
    const [method = '', path = ''] = name.split(' ');
    const hint = name.includes(' /')
      ? `A priority goes with app.route('${method.toLowerCase()}', '${path}', listener, ${listener}).`
      : 'Write app.on(event, listener, priority).';
    return { code, message: `A listener of ${name} is the number ${listener}, so it is left out.`, hint };
  }
  const missing = 'Check its import: the function must be exported under that name.';
  const hint = listener === undefined ? missing : 'Give a function (request, response) => …';
  return { code, message: `A listener of ${name} is ${describe(listener)}, so it is left out.`, hint };
}

interface RouteInput {
  readonly method: unknown;
  readonly path: unknown;
  readonly priority: unknown;
}

/** Mistakes in a route's method, path and priority. With `isLost` the route cannot be added at all. */
export function findRouteMistakes({ method, path, priority }: RouteInput): { mistakes: Mistake[]; isLost: boolean } {
  const usage = "Write app.get('/path', listener), or app.route('get', '/path', listener, priority).";
  if (typeof method !== 'string' || typeof path !== 'string' || method.startsWith('/')) {
    const given = `${describe(method)}, ${describe(path)}`;
    const message = `A route has its arguments in the wrong order: ${given}. It is left out.`;
    return { mistakes: [toRoute('PLAN_ROUTE_ARGUMENTS', message, usage)], isLost: true };
  }
  const name = `${method.toUpperCase()} ${path}`;
  const mistakes: Mistake[] = [];
  if (!METHODS.includes(method.toLowerCase()))
    mistakes.push(
      toRoute('PLAN_ROUTE_METHOD', `No request meets ${name}: the method is unknown.`, toDidYouMean(method, METHODS)),
    );
  if (typeof priority !== 'number' || Number.isNaN(priority))
    mistakes.push(
      toRoute('PLAN_ROUTE_ARGUMENTS', `The priority of ${name} is ${describe(priority)}; it counts as 0.`, usage),
    );
  const mistake = findPathMistake(name, path, typeof priority === 'number' && priority !== 0);
  return { mistakes: mistake ? [...mistakes, mistake] : mistakes, isLost: false };
}

/** Mistakes in the event of `app.on`; the listener is left out. */
export function findEventMistake(event: unknown): Mistake | undefined {
  const events: readonly unknown[] = Array.isArray(event) ? event : [event];
  const wrong = events.find((name) => !(name instanceof RegExp) && (typeof name !== 'string' || name === ''));
  const code = 'PLAN_LISTENER_INVALID';
  if (events.length === 0 || wrong !== undefined || events.includes(undefined)) {
    const given = events.length === 0 ? 'an empty list' : describe(wrong);
    const message = `app.on has no event but ${given}, so its listener is left out.`;
    return { code, message, hint: "Write app.on('system-model-create', listener)." };
  }
  const route = events.find(
    (name) => typeof name === 'string' && /^[A-Za-z]+ +\S/.test(name) && !/^[A-Z]+ \//.test(name),
  );
  if (typeof route !== 'string') return undefined;
  const [method = '', path = ''] = route.split(/ +/);
  const hint = `Write "${method.toUpperCase()} ${path.startsWith('/') ? path : `/${path}`}".`;
  return toRoute('PLAN_ROUTE_PATH', `No request meets "${route}".`, hint);
}

const ACCESSES = ['public', 'app', 'user'];

/** A mistake in the arguments of `app.rest`. */
export function findCallMistake(call: unknown, listener: unknown): { mistake: Mistake; isLost: boolean } | undefined {
  const given = (typeof call === 'object' && call !== null ? call : {}) as Readonly<Record<string, unknown>>;
  const { access, method, path } = given;
  const usage = "Write app.rest({ access: 'public', method: 'get', path: '/public/greeting' }, listener).";
  if (typeof path !== 'string' || typeof method !== 'string') {
    const message = `app.rest needs a method and a path; it has ${describe(method)} and ${describe(path)}. The call is left out.`;
    return { mistake: { code: 'REST_CALL_ARGUMENTS', message, hint: usage }, isLost: true };
  }
  const name = `The hand-written call ${method.toUpperCase()} ${path}`;
  if (typeof listener !== 'function') {
    const mistake = findListenerMistake(`the hand-written call ${method.toUpperCase()} ${path}`, listener);
    return mistake && { mistake, isLost: true };
  }
  if (!ACCESSES.includes(String(access))) {
    const message = `${name} has the access ${describe(access)}; it is guarded as a user call.`;
    const near = typeof access === 'string' ? suggest(access, ACCESSES) : undefined;
    const hint = near === undefined ? `Write one of: ${ACCESSES.join(', ')}.` : `Did you mean "${near}"?`;
    return { mistake: { code: 'REST_CALL_ARGUMENTS', message, hint }, isLost: false };
  }
  if (given.status !== undefined && !STATUSES.includes(given.status)) {
    const message = `${name} has the status ${describe(given.status)}; it answers 200.`;
    return {
      mistake: { code: 'REST_CALL_ARGUMENTS', message, hint: `Write one of: ${STATUSES.join(', ')}.` },
      isLost: false,
    };
  }
  if (method.toLowerCase() === 'get' && given.body !== undefined) {
    const message = `${name} has a body, but a GET has none: the shape is not checked, and the stage is the query as it is.`;
    const remedy = 'Check the query in the handler, or use the method post.';
    return { mistake: { code: 'REST_CALL_ARGUMENTS', message, hint: remedy }, isLost: false };
  }
  const hint = path.startsWith('/rest') ? `Write "${path.slice(5) || '/'}".` : `Write "/${path}".`;
  if (!path.startsWith('/') || /^\/rest(?:\/|$)/i.test(path)) {
    const message = path.startsWith('/')
      ? `${name} is served at /rest${path}, because all calls lie under /rest.`
      : `${name} is served at /rest${path}, because its path does not start with "/".`;
    return { mistake: { code: 'REST_CALL_PATH', message, hint }, isLost: false };
  }
  return undefined;
}

/** The mistake as a warning at a place such as `app/www/src/controller/static.ts:7`. */
export function createWarning(mistake: Mistake, place: string | undefined): Problem {
  const [, file = 'app', line] = /^(.*):(\d+)$/.exec(place ?? '') ?? [];
  return { ...mistake, file, path: '', ...(line === undefined ? {} : { line: Number(line) }), severity: 'warning' };
}
