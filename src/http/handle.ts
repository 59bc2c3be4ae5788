import type { IncomingMessage, ServerResponse } from 'node:http';
import { ClientGone } from '../core/client-gone.ts';
import type { Next } from '../core/compose.ts';
import { toPromise } from '../core/continue-with.ts';
import { TreadleError } from '../core/errors.ts';
import type { Log } from '../core/log/log.ts';
import { Request } from '../core/request/request.ts';
import { Response } from '../core/request/response.ts';
import { currentScope } from '../core/scope.ts';
import { toReadableError } from '../core/text/reason.ts';
import { inLocale } from '../core/text/translate.ts';
import { toAnswered } from './access-log.ts';
import { hasBody } from './body/body.ts';
import { createRequestIds, type Exchange, isLeft, openExchange } from './exchange.ts';
import type { HandleOptions } from './options.ts';
import { toSource } from './request-source.ts';
import { answerError, createFailure } from './respond/failure.ts';
import type { PartialExchange, Responder } from './respond/respond.ts';
import { composeLists, createLists } from './steps/order.ts';
import { StructureGuard } from './structure-guard.ts';
import { Tools } from './tools.ts';

/** Emitted before an API request is refused that has not reached its route. */
const REFUSING = 'api-refuse';

/**
 * The request and response built so far. For an API request that failed before its body was read, lets features add
 * their headers (`api-refuse`).
 */
async function markRefusal(exchange: Exchange, log: Log): Promise<PartialExchange | undefined> {
  const { context, request, response } = exchange;
  if (request) return { request, response };
  if (exchange.kind !== 'api' || exchange.isDone || !context.plan.bus.hasListener(REFUSING)) return undefined;
  // The query itself may be the reason for the refusal.
  const bare = new Request(toSource({ ...exchange, query: '' }));
  const begun = new Response(bare);
  try {
    await context.emit(REFUSING, bare, begun);
  } catch (error) {
    log.error('a refusal could not be marked', { request: exchange.id, error });
  }
  return { request: bare, response: begun };
}

/** Answers one request. */
export type Handle = (req: IncomingMessage, res: ServerResponse) => void;

/** The client is slow, not the server. @see RFC 9110 section 15.5.9 */
const tooSlow = (): TreadleError =>
  new TreadleError('REQUEST_BODY_SLOW', 'The body did not arrive in time.', {
    status: 408,
    headers: { connection: 'close' },
  });

const HANDLER_MS = 30_000;
const CLIENT_GONE = 499;

class Handler {
  readonly #options: HandleOptions;
  readonly #responder: Responder;
  readonly #steps: Next<Exchange>;
  readonly #newId: ReturnType<typeof createRequestIds>;
  readonly #structure: StructureGuard;

  constructor(options: HandleOptions) {
    const tools = new Tools(options);
    this.#options = options;
    this.#responder = tools.responder;
    this.#steps = composeLists(createLists(tools));
    this.#newId = createRequestIds(options.random);
    this.#structure = new StructureGuard(options.log, options.clock);
  }

  /** Answers one request. It uses few asynchronous layers, because each costs time where an async scope is active. */
  handle(req: IncomingMessage, res: ServerResponse): void {
    const closed = this.#options.gate?.closed;
    if (closed) {
      void closed.then(() => this.handle(req, res)).catch((error) => answerError(res, this.#options.log, error));
      return;
    }
    // A request without a client is not started.
    if (req.socket.destroyed) return;
    const context = this.#options.current();
    const exchange = openExchange(req, res, { context, clock: this.#options.clock, newId: this.#newId });
    const { locale } = exchange;
    if (locale) currentScope.run({ locale }, () => this.#answer(exchange));
    else this.#answer(exchange);
  }

  #answer(exchange: Exchange): void {
    const { gate, traffic, clock, log, limits = clock, handlerMs = HANDLER_MS } = this.#options;
    const cancel = limits.after(handlerMs, () => this.#giveUp(exchange));
    const turn = gate?.enter();
    if (traffic) traffic.underWay += 1;
    const end = (): void => {
      cancel();
      gate?.leave(turn);
      if (traffic) traffic.underWay -= 1;
      const { request, isDone, context } = exchange;
      if (request && isDone) context.answered?.(request, toAnswered(exchange, clock));
    };
    const fail = (error: unknown): void => answerError(exchange.res, log, error);
    // One promise fewer than with `catch`: each costs time where an async scope is active.
    const endSafely = (): void => {
      try {
        end();
      } catch (error) {
        fail(error);
      }
    };
    void toPromise(() => this.#steps(exchange)).then(endSafely, (error) =>
      this.#explain(toReadableError(error), exchange).finally(end).catch(fail),
    );
  }

  async #explain(error: unknown, exchange: Exchange): Promise<void> {
    const told = await this.#structure.explain(error, exchange.context);
    const begun = await markRefusal(exchange, this.#options.log);
    await inLocale(exchange.locale, () => this.#fail(exchange, told, begun));
  }

  #giveUp(exchange: Exchange): void {
    const { req, isDone } = exchange;
    if (isDone) return;
    const isArriving = hasBody(req) && !req.complete;
    // Node tells nothing more of a request that was answered: without this, who reads its body would wait for ever.
    if (isArriving) req.socket.once('close', () => req.destroy());
    if (isArriving && req.readableFlowing === true) void this.#explain(tooSlow(), exchange);
    else {
      const message = `${exchange.method} ${exchange.path} was not answered in time.`;
      const headers = { ...(isArriving && { connection: 'close' }) };
      void this.#fail(exchange, new TreadleError('REQUEST_HANDLER_HANGS', message, { headers }));
    }
  }

  async #fail(exchange: Exchange, error: unknown, begun?: PartialExchange): Promise<void> {
    const { log } = this.#options;
    try {
      if (error instanceof ClientGone && isLeft(exchange)) {
        // No client sees it, but metrics must not count it as a success. @see status 499 of nginx
        if (!exchange.isDone) exchange.res.statusCode = CLIENT_GONE;
        exchange.isDone = true;
      } else if (exchange.isDone) log.error('request failed after its answer', { request: exchange.id, error });
      // It waited for a query of another request, of which the client disconnected. This client may try again.
      else if (error instanceof ClientGone) await this.#responder.refuse(exchange, createFailure(503), begun?.request);
      else await this.#responder.fail(exchange, error, begun);
    } catch (last) {
      log.error('request could not be answered', { request: exchange.id, error: last });
      exchange.isDone = true;
      if (!exchange.res.headersSent) exchange.res.writeHead(500, { 'content-length': 0 });
      exchange.res.end();
    }
  }
}

/**
 * Creates the function that answers every HTTP request with the plan that serves when it arrives. It never throws and
 * always answers.
 */
export function createHandle(options: HandleOptions): Handle {
  const handler = new Handler(options);
  return (req, res) => {
    try {
      handler.handle(req, res);
    } catch (error) {
      answerError(res, options.log, error);
    }
  };
}
