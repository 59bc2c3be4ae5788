import { existsSync, statSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import { join } from 'node:path';
import type { Clock, Random } from '../../core/clock.ts';
import type { Log } from '../../core/log/log.ts';
import type { RootSecret } from '../../core/secret/secret.ts';
import { takeBasePath, toBasePath } from '../../core/text/base-path.ts';
import { isUnsafe } from '../../http/exchange.ts';
import type { SandboxApp, SandboxCredentials, Sandboxes } from '../../plan/sandbox.ts';
import { findSandboxTarget, SANDBOX_PATH, type SandboxTarget } from './address.ts';
import { createSandboxLog, fillSandbox, type SandboxSite, type SandboxStart } from './site.ts';

/** Milliseconds without a request after which a sandbox is closed; the next request starts it again. */
const IDLE_MS = 600_000;
/** Sandboxes that run in this process at once. The one that was idle for longest makes room. */
const MOST_RUNNING = 8;
/** Bytes of a sandbox's database from which it takes no more writes. */
const MOST_BYTES = 268_435_456;
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

interface Running {
  readonly site: Promise<SandboxSite>;
  usedAt: number;
}

const CODES = { 404: 'SANDBOX_MISSING', 503: 'SANDBOX_FAILED', 507: 'SANDBOX_FULL' } as const;

const readBytes = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

/** Runs the sandboxes of this process: each is an application of its own, started by the first request for it. */
export class SandboxHost implements Sandboxes {
  readonly #options: SandboxHostOptions;
  readonly #running = new Map<string, Running>();
  #stopSweep: (() => void) | undefined;

  constructor(options: SandboxHostOptions) {
    this.#options = options;
  }

  address(name: string): string {
    return `${this.#options.baseUrl()}${SANDBOX_PATH}${name}`;
  }

  exists(name: string): boolean {
    return existsSync(join(this.#toFolder(name), DATABASE));
  }

  async create(name: string, app: SandboxApp): Promise<SandboxCredentials> {
    await mkdir(this.#toFolder(name), { recursive: true });
    try {
      return await fillSandbox(await this.#open(name), app, this.#options.random);
    } catch (error) {
      await this.remove(name);
      throw error;
    }
  }

  async remove(name: string): Promise<void> {
    await this.#close(name);
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
        res,
        503,
        'The sandbox did not start. If its data does not fit the site any more, throw it away and make a new one.',
      );
    });
    return true;
  }

  /** Ends all sandboxes of this process, as the plan that they run changes or the server stops. */
  async closeAll(): Promise<void> {
    this.#stopSweep?.();
    this.#stopSweep = undefined;
    await Promise.all([...this.#running.keys()].map((name) => this.#close(name)));
  }

  /** Refuses a request that reaches no sandbox. Any origin may read it: it depends on nobody. @see RFC 9457 */
  #refuse(res: ServerResponse, status: keyof typeof CODES, detail: string): void {
    if (res.headersSent) return void res.end();
    const code = CODES[status];
    const docs = this.#options.findDocs(code);
    res.writeHead(status, {
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      'access-control-allow-origin': '*',
      ...(status === 503 ? { 'retry-after': '5' } : {}),
    });
    const about = { type: docs ?? 'about:blank', title: STATUS_CODES[status], status, detail, code };
    res.end(JSON.stringify({ ...about, ...(docs === undefined ? {} : { docs }), error: true, message: detail }));
  }

  #toFolder(name: string): string {
    return join(this.#options.root, 'var', 'sandbox', name);
  }

  async #answer({ name, url }: SandboxTarget, req: IncomingMessage, res: ServerResponse): Promise<void> {
    if (url === undefined)
      return this.#refuse(
        res,
        404,
        'A sandbox does not answer at this path: it has the API, the OAuth flow and the docs.',
      );
    if (!this.exists(name)) {
      // Another process removed it.
      await this.#close(name);
      return this.#refuse(res, 404, 'There is no such sandbox. It may have been thrown away.');
    }
    if (isUnsafe(req.method ?? 'GET') && readBytes(join(this.#toFolder(name), DATABASE)) > MOST_BYTES)
      return this.#refuse(res, 507, 'The sandbox is full. Throw it away and make a new one.');
    const site = await this.#open(name);
    Object.assign(req, { url, originalUrl: url });
    site.handle(req, res);
  }

  async #open(name: string): Promise<SandboxSite> {
    const known = this.#running.get(name);
    const now = this.#options.clock.now();
    if (known) {
      known.usedAt = now;
      return known.site;
    }
    const site = this.#makeRoom().then(() => this.#start(name));
    this.#running.set(name, { site, usedAt: now });
    this.#sweepLater();
    try {
      return await site;
    } catch (error) {
      this.#running.delete(name);
      throw error;
    }
  }

  #start(name: string): Promise<SandboxSite> {
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
        void this.#close(name);
      },
    });
  }

  async #makeRoom(): Promise<void> {
    if (this.#running.size < MOST_RUNNING) return;
    const [oldest] = [...this.#running].sort(([, a], [, b]) => a.usedAt - b.usedAt);
    if (oldest) await this.#close(oldest[0]);
  }

  async #close(name: string): Promise<void> {
    const running = this.#running.get(name);
    if (!running) return;
    this.#running.delete(name);
    const site = await running.site.catch(() => undefined);
    await site?.close();
  }

  #sweepLater(): void {
    this.#stopSweep ??= this.#options.clock.after(IDLE_MS / 2, () => {
      this.#stopSweep = undefined;
      const until = this.#options.clock.now() - IDLE_MS;
      const idle = [...this.#running].filter(([, { usedAt }]) => usedAt <= until);
      void Promise.all(idle.map(([name]) => this.#close(name))).catch((error: unknown) =>
        this.#options.log.error('sandbox did not close', { error }),
      );
      if (this.#running.size > idle.length) this.#sweepLater();
    });
  }
}
