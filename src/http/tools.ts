import { findRefusalAccess } from '../access/grant.ts';
import { compose, type Next } from '../core/compose.ts';
import { Request } from '../core/request/request.ts';
import { Response } from '../core/request/response.ts';
import { currentScope } from '../core/scope.ts';
import { createAccessLog, toBoth } from './access-log.ts';
import { hasBody } from './body/body.ts';
import { type Exchange, toScope } from './exchange.ts';
import { createStatics, type Statics } from './file/static.ts';
import { preferLanguage } from './language.ts';
import type { HandleOptions } from './options.ts';
import { toSource } from './request-source.ts';
import { createFailure } from './respond/failure.ts';
import { Responder } from './respond/respond.ts';
import type { OpenSession } from './session/session.ts';
import { createAnswerSteps } from './steps/answer.ts';

interface Refusal {
  readonly message?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The methods of `Allow`, of those that a path has. */
function toAllowed(methods: readonly string[]): string[] {
  if (methods.length === 0) return [];
  const all = methods.includes('ALL') ? ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] : methods;
  return [...new Set([...all, ...(all.includes('GET') ? ['HEAD'] : []), 'OPTIONS'])].sort();
}

const toText = (headers: Readonly<Record<string, string | readonly string[]>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

/** What several steps of a request use. */
export class Tools {
  readonly options: HandleOptions;
  readonly responder: Responder;
  readonly answerSteps: ReturnType<typeof createAnswerSteps>;
  /** Sends the response of an exchange: the steps that every answer ends with. */
  readonly answer: Next<Exchange>;
  readonly #statics: Statics;

  constructor(options: HandleOptions) {
    const { mode, log, clock, lifecycle, development, sessions } = options;
    const isLogged = options.isAccessLogged ?? mode !== 'test';
    const isDevelopment = mode === 'development';
    const written = isLogged ? createAccessLog(log, clock, isDevelopment) : undefined;
    const accessLog = options.traffic ? toBoth(written, options.traffic.answered) : written;
    const decorate = development && ((html: string): string => development.decorate(html));
    this.options = options;
    this.responder = new Responder({ ...options, accessLog, decorate });
    this.answerSteps = createAnswerSteps({ responder: this.responder, sessions });
    const { failure, closeSession, respond } = this.answerSteps;
    this.answer = compose<Exchange>([failure, closeSession, respond]);
    const { publicFolder: folder, images } = options;
    this.#statics = createStatics({ folder, isDevelopment, clock, lifecycle, accessLog, images });
  }

  /** Answers with a file; false if there is none at the path. */
  serve(x: Exchange): boolean | Promise<void> {
    const isServed = this.#statics.serve(x);
    if (isServed) x.route = 'static';
    return isServed;
  }

  #serveSinglePage(x: Exchange): boolean {
    const isServed = this.#statics.serveSinglePage(x);
    if (isServed) x.route = 'static';
    return isServed;
  }

  /** The session of the request's cookie, read at most once; the answer is in the language of its account. */
  async openSession(x: Exchange, withAccount = false): Promise<OpenSession | undefined> {
    const { cookie } = x.req.headers;
    if (cookie === undefined) return undefined;
    x.session ??= { opened: await this.options.sessions.open(cookie, x.isSecure, withAccount) };
    const { opened } = x.session;
    preferLanguage(x, x.context.plan.languages, opened?.language);
    return opened;
  }

  /** Answers a path without a listener: with a file, the methods that it has, or 404. */
  async answerWithoutListener(x: Exchange, methods: readonly string[] = []): Promise<void> {
    if (methods.length === 0) {
      const served = this.serve(x);
      if (served && served !== true) await served;
      else if (!served && !this.#serveSinglePage(x)) await this.refuse(x, 404);
      return;
    }
    const allow = toAllowed(methods).join(', ');
    if (x.method !== 'OPTIONS') return this.refuse(x, 405, { headers: { allow } });
    x.request = new Request(toSource(x));
    x.response = new Response(x.request).setStatus(204).addHeader('allow', allow);
    await this.answer(x);
  }

  /** Refuses in the site's layout. If the body was not read, the connection closes. */
  async refuse(x: Exchange, status: number, { message, headers }: Refusal = {}): Promise<void> {
    const { isSecure, kind, req, context } = x;
    const isUnread = hasBody(req) && !req.complete;
    const failure = createFailure(status, message, { ...headers, ...(isUnread ? { connection: 'close' } : {}) });
    const session = kind === 'page' ? await this.openSession(x) : undefined;
    const request = new Request(toSource(x, undefined, session));
    const response = new Response(request);
    this.options.sessions.attach(request, session, isSecure);
    const access = x.access ?? (await findRefusalAccess(context, kind, request));
    const scope = toScope(x, { request, response, access, caller: x });
    await currentScope.run(scope, async () => {
      // A path below /rest that no route can match, such as one with broken percent-encoding.
      if (x.path.startsWith('/rest/')) await context.emit('api-refuse', request, response);
      const added = { ...toText(response.getHeaders()), ...failure.headers };
      await this.responder.refuse(x, { ...failure, headers: added }, request);
    });
  }
}
