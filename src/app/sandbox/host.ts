import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import { join } from 'node:path';
import type { Clock, Random } from '../../core/clock.ts';
import type { Log } from '../../core/log/log.ts';
import { once } from '../../core/memoize.ts';
import type { RootSecret } from '../../core/secret/secret.ts';
import { takeBasePath, toBasePath } from '../../core/text/base-path.ts';
import { createRequestIds, isUnsafe } from '../../http/exchange.ts';
import type { SandboxApp, SandboxCredentials, Sandboxes } from '../../plan/sandbox.ts';
import { findSandboxTarget, SANDBOX_PATH, type SandboxTarget } from './address.ts';
import { DiskUse } from './disk-use.ts';
import { RunningSandbox } from './running.ts';
import { createSandboxLog, fillSandbox, type SandboxSite, type SandboxStart } from './site.ts';

/** Milliseconds without a request after which a sandbox is closed; the next request starts it again. */
const IDLE_MS = 600_000;
/** Sandboxes that run in this process at once. The one that was idle for longest makes room. */
const MOST_RUNNING = 8;
/** Bytes of a sandbox's rows and uploads from which it takes no more writes. */
const MOST_BYTES = 268_435_456;
/** Milliseconds that the requests under way have to end before their sandbox is closed, and before it is thrown away. */
const GRACE_MS = { close: 8_000, remove: 1_000 } as const;
const DATABASE = 'app.db';

export interface SandboxHostOptions {
  /** Project root, absolute. */
  readonly root: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly secret: RootSecret;
  readonly baseUrl: () => string;
  /** Sandboxes that the settings allow; 0 closes all. */
  readonly most: () => number;
  /** Starts the project on a sandbox's data. */
  readonly start: (start: SandboxStart) => Promise<SandboxSite>;
  /** Address of the page about an error code; undefined where the site serves no docs. */
  readonly findDocs: (code: string) => string | undefined;
}

interface ClosingSandbox {
  readonly name: string;
  readonly closed: Promise<void>;
}

interface Connection {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
}

const CODES = { 404: 'SANDBOX_MISSING', 503: 'SANDBOX_FAILED', 507: 'SANDBOX_FULL' } as const;

/** The bytes of a request's body; undefined if nobody knows them before it was read. */
const readLength = ({ headers }: IncomingMessage): number | undefined =>
  headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : undefined;

/** Runs the sandboxes of this process: each is an application of its own, started by the first request for it. */
export class SandboxHost implements Sandboxes {
  readonly #options: SandboxHostOptions;
  readonly #ids: () => ReturnType<typeof createRequestIds>;
  readonly #running = new Map<string, RunningSandbox>();
  /** Those that are being made, by name. */
  readonly #making = new Map<string, Promise<unknown>>();
  /** Names of those that this process threw away. */
  readonly #gone = new Set<string>();
  /** Those that take no new requests and close. */
  readonly #closing = new Set<ClosingSandbox>();
  #stopSweep: (() => void) | undefined;

  constructor(options: SandboxHostOptions) {
    this.#options = options;
    this.#ids = once(() => createRequestIds(options.random));
  }

  address(name: string): string {
    return `${this.#options.baseUrl()}${SANDBOX_PATH}${name}`;
  }

  exists(name: string): boolean {
    return !this.#gone.has(name) && existsSync(join(this.#toFolder(name), DATABASE));
  }

  async create(name: string, app: SandboxApp): Promise<SandboxCredentials> {
    const making = this.#make(name, app);
    this.#making.set(
      name,
      making.catch(() => {}),
    );
    try {
      return await making;
    } catch (error) {
      await this.#delete(name);
      throw error;
    } finally {
      this.#making.delete(name);
    }
  }

  async #make(name: string, app: SandboxApp): Promise<SandboxCredentials> {
    await mkdir(this.#toFolder(name), { recursive: true });
    const running = this.#open(name);
    const end = running.begin();
    try {
      return await fillSandbox(await running.site, app, this.#options.random);
    } finally {
      end();
    }
  }

  async remove(name: string): Promise<void> {
    // From now on it answers no request, and none starts it again.
    this.#gone.add(name);
    await this.#making.get(name);
    await this.#delete(name);
  }

  async #delete(name: string): Promise<void> {
    this.#gone.add(name);
    this.#close(name, GRACE_MS.remove);
    await this.#untilClosed(name);
    await rm(this.#toFolder(name), { recursive: true, force: true });
  }

  /** Takes a request if it is for a sandbox; gives false for one that is for the site. */
  take(req: IncomingMessage, res: ServerResponse): boolean {
    const url = req.url ?? '/';
    if (!url.includes(SANDBOX_PATH) || this.#options.most() === 0) return false;
    const target = findSandboxTarget(takeBasePath(toBasePath(this.#options.baseUrl()), url));
    if (target === undefined) return false;
    void this.#answer(target, req, res).catch((error: unknown) => {
      this.#options.log.error('sandbox failed', { sandbox: target.name, error });
      this.#refuse(
        { req, res },
        503,
        'The sandbox did not start. If its data does not fit the site any more, throw it away and make a new one.',
      );
    });
    return true;
  }

  /** Ends all sandboxes of this process as the plan that they run changes: requests under way end first, new ones start them again. */
  retireAll(): void {
    for (const name of [...this.#running.keys()]) this.#close(name, GRACE_MS.close);
  }

  /** Ends all sandboxes of this process as the server stops, which has waited for the requests. */
  async stop(): Promise<void> {
    this.#stopSweep?.();
    this.#stopSweep = undefined;
    for (const name of [...this.#running.keys()]) this.#close(name, 0);
    await this.#untilClosed();
  }

  /** Refuses a request that reaches no sandbox. Any origin may read it: it depends on nobody. @see RFC 9457 */
  #refuse({ req, res }: Connection, status: keyof typeof CODES, detail: string): void {
    if (res.headersSent) return void res.end();
    const code = CODES[status];
    const docs = this.#options.findDocs(code);
    res.writeHead(status, {
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
      'x-request-id': this.#ids()(req.headers['x-request-id']),
      ...(status === 503 ? { 'retry-after': '5' } : {}),
    });
    const about = { type: docs ?? 'about:blank', title: STATUS_CODES[status], status, detail, code };
    res.end(JSON.stringify({ ...about, ...(docs === undefined ? {} : { docs }), error: true, message: detail }));
  }

  #toFolder(name: string): string {
    return join(this.#options.root, 'var', 'sandbox', name);
  }

  async #answer({ name, url }: SandboxTarget, req: IncomingMessage, res: ServerResponse): Promise<void> {
    // A request without a client is not started.
    if (res.closed) return;
    const connection = { req, res };
    if (url === undefined)
      return this.#refuse(
        connection,
        404,
        'A sandbox does not answer at this path: it has the API, the OAuth flow and the docs.',
      );
    if (!this.exists(name)) {
      // Another process removed it.
      this.#close(name, 0);
      return this.#refuse(connection, 404, 'There is no such sandbox. It may have been thrown away.');
    }
    const running = this.#open(name);
    res.once('close', running.begin());
    if (isUnsafe(req.method ?? 'GET') && (await running.disk.expect(readLength(req))) > MOST_BYTES)
      return this.#refuse(connection, 507, 'The sandbox is full. Throw it away and make a new one.');
    const site = await running.site;
    Object.assign(req, { url, originalUrl: url });
    site.handle(req, res);
  }

  #open(name: string): RunningSandbox {
    const known = this.#running.get(name);
    if (known) return known;
    this.#makeRoom();
    const { clock } = this.#options;
    const site = this.#start(name, () => this.#forget(name, running, 0));
    const running = new RunningSandbox(site, new DiskUse(this.#toFolder(name), clock), clock);
    this.#running.set(name, running);
    // The next request tries again.
    running.site.catch(() => this.#forget(name, running, 0));
    this.#sweepLater();
    return running;
  }

  async #start(name: string, end: () => void): Promise<SandboxSite> {
    const { secret, start, log } = this.#options;
    const own = createSandboxLog(log, name);
    return start({
      folder: this.#toFolder(name),
      env: {
        TREADLE_SECRET: secret.derive(['sandbox', name]).toString('hex'),
        TREADLE_BASE_URL: this.address(name),
        DATABASE_URL: `sqlite:var/sandbox/${name}/${DATABASE}`,
      },
      log: own,
      // A fault of a sandbox ends the sandbox, not the site.
      fail: (error) => {
        own.error('sandbox ended', { error });
        end();
      },
    });
  }

  /** Closes the sandbox that was idle for longest, or of busy ones that which was not used for longest. */
  #makeRoom(): void {
    if (this.#running.size < MOST_RUNNING) return;
    const [first] = [...this.#running].sort(
      ([, a], [, b]) => Number(b.isIdle) - Number(a.isIdle) || a.usedAt - b.usedAt,
    );
    if (first) this.#close(first[0], GRACE_MS.close);
  }

  #close(name: string, graceMs: number): void {
    const running = this.#running.get(name);
    if (running) this.#forget(name, running, graceMs);
  }

  /** Gives a sandbox no more requests, and closes it once its work has ended. */
  #forget(name: string, running: RunningSandbox, graceMs: number): void {
    if (this.#running.get(name) === running) this.#running.delete(name);
    const closed = running
      .end(graceMs)
      .catch((error: unknown) => this.#options.log.error('sandbox did not close', { sandbox: name, error }))
      .finally(() => this.#closing.delete(closing));
    const closing = { name, closed };
    this.#closing.add(closing);
  }

  /** Resolves when the sandbox of this name has closed, or without a name all. */
  async #untilClosed(name?: string): Promise<void> {
    const closing = [...this.#closing].filter((one) => name === undefined || one.name === name);
    await Promise.all(closing.map(({ closed }) => closed));
  }

  #sweepLater(): void {
    this.#stopSweep ??= this.#options.clock.after(IDLE_MS / 2, () => {
      this.#stopSweep = undefined;
      const until = this.#options.clock.now() - IDLE_MS;
      const idle = [...this.#running].filter(([, { usedAt, isIdle }]) => isIdle && usedAt <= until);
      for (const [name] of idle) this.#close(name, 0);
      if (this.#running.size > 0) this.#sweepLater();
    });
  }
}
