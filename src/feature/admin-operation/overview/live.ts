import { PassThrough } from 'node:stream';
import { readPerson, toPerson } from '../../../access/person.ts';
import { type Access, apartAsSystem, getAccess } from '../../../core/access.ts';
import { memoize } from '../../../core/memoize.ts';
import type { Request } from '../../../core/request/request.ts';
import { currentScope, type Scope } from '../../../core/scope.ts';
import { toBasePath } from '../../../core/text/base-path.ts';
import { putBasePathInHtml } from '../../../core/text/html-address.ts';
import type { Exchange } from '../../../page/exchange.ts';
import type { Context, Worker } from '../../../plan/feature.ts';
import { readFacts } from './facts.ts';
import { PARTS, type Part, renderParts } from './view.ts';

/** Milliseconds between two looks at the figures. */
const TICK_MS = 5000;
/** Ticks between two checks of the session, and after which a comment keeps proxies from closing a quiet stream. */
const CHECK_TICKS = 3;
/** Ticks after which a stream ends; the browser opens the next one, which passes the gate again. */
const MOST_TICKS = 60;
/** Streams of one person in a process. A browser opens six connections to a site at most. */
const MOST_OF_PERSON = 3;
const MOST_STREAMS = 100;
/** Bytes that wait for a slow reader; until they are read nothing is added. */
const MOST_WAITING = 262_144;
const RETRY_MS = 3000;

interface Stream {
  readonly authId: number;
  readonly request: Request;
  readonly access: Access;
  /** Who asks, and the language of the page. */
  readonly scope: Scope;
  readonly out: PassThrough;
  readonly sent: Map<Part, string>;
  ticks: number;
}

/** The open pages that are renewed. They end with the plan, the process, the session or the person's roles. */
class LiveStreams implements Worker {
  readonly #context: Context;
  readonly #streams = new Set<Stream>();
  #isClosed = false;
  #cancel: (() => void) | undefined;

  constructor(context: Context) {
    this.#context = context;
  }

  /** Begins a stream; false if there is no room for it. */
  open({ request, response }: Exchange): boolean {
    const authId = Number(request.getSession('me', 'auth_id'));
    const own = [...this.#streams].filter((stream) => stream.authId === authId);
    if (this.#isClosed || own.length >= MOST_OF_PERSON || this.#streams.size >= MOST_STREAMS) return false;
    const out = new PassThrough();
    const locale = currentScope.getStore()?.locale;
    const access = getAccess();
    const scope = { access, ...(locale && { locale }) };
    const stream: Stream = { authId, request, access, scope, out, sent: new Map(), ticks: 0 };
    this.#streams.add(stream);
    out.on('close', () => this.#streams.delete(stream));
    out.write(`retry: ${RETRY_MS}\n\n`);
    response
      .addHeader('content-type', 'text/event-stream; charset=utf-8')
      .addHeader('cache-control', 'no-store, no-transform')
      .addHeader('x-accel-buffering', 'no')
      .setStream({ stream: out });
    apartAsSystem(() => {
      void this.#renew([stream]);
      this.#cancel ??= this.#context.services.clock.after(TICK_MS, () => void this.#tick());
    });
    return true;
  }

  async #tick(): Promise<void> {
    for (const stream of this.#streams) {
      stream.ticks += 1;
      if (stream.ticks % CHECK_TICKS !== 0) continue;
      if (stream.ticks >= MOST_TICKS || !(await this.#isAllowed(stream))) stream.out.end();
      else if (stream.out.writableLength < MOST_WAITING) stream.out.write(':\n\n');
    }
    await this.#renew([...this.#streams]);
    const isOver = this.#isClosed || this.#streams.size === 0;
    this.#cancel = isOver ? undefined : this.#context.services.clock.after(TICK_MS, () => void this.#tick());
  }

  /** Whether the session still is, and the person has the roles that opened the page. */
  async #isAllowed({ authId, request, access }: Stream): Promise<boolean> {
    const { services, plan } = this.#context;
    try {
      const sessions = await services.sessions.list(authId, request);
      const known = toPerson(plan.model, request.getSession('me') as Record<string, unknown>);
      const person = known && (await readPerson(this.#context, known));
      return sessions.some(({ isOwn }) => isOwn) && person?.roles.join() === access.roles.join();
    } catch {
      return false;
    }
  }

  /** Sends the parts that differ from those that were sent. */
  async #renew(streams: readonly Stream[]): Promise<void> {
    if (streams.length === 0) return;
    try {
      const facts = await readFacts(this.#context);
      for (const { scope, out, sent } of streams) {
        if (out.writableEnded || out.writableLength >= MOST_WAITING) continue;
        const parts = currentScope.run(scope, () => renderParts(this.#context, facts));
        const changed = PARTS.filter((part) => sent.get(part) !== parts[part]);
        for (const part of changed) sent.set(part, parts[part]);
        const toPublic = (html: string): string =>
          putBasePathInHtml(toBasePath(this.#context.services.baseUrl()), html);
        const data = JSON.stringify(Object.fromEntries(changed.map((part) => [part, toPublic(parts[part])])));
        if (changed.length > 0) out.write(`event: parts\ndata: ${data}\n\n`);
      }
    } catch (error) {
      this.#context.services.log.warn('admin.overview', { error });
    }
  }

  #end(): void {
    this.#isClosed = true;
    this.#cancel?.();
    for (const { out } of this.#streams) out.end();
  }

  async stop(): Promise<void> {
    this.#end();
  }

  wake(): void {}

  /** A stream would otherwise hold up the end of the process. */
  async hurry(): Promise<void> {
    this.#end();
  }
}

const streamsOf = memoize((context: Context) => new LiveStreams(context));

/** Ends the streams with the plan and with the process. */
export const createLiveWorker = (context: Context): Worker => streamsOf(context);

/** The parts of the first page as server-sent events; 204, after which a browser does not ask again, if there are too many. */
export async function streamOverview(context: Context, exchange: Exchange): Promise<void> {
  if (!streamsOf(context).open(exchange)) exchange.response.setStatus(204).setAnswered();
}
