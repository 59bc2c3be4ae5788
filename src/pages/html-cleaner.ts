import { existsSync } from 'node:fs';
import process from 'node:process';
import type { Worker } from 'node:worker_threads';
import type { Clock } from '../core/clock.ts';
import { TreadleError } from '../core/errors.ts';
import type { Log } from '../core/log/log.ts';
import { type HtmlCleaner, ValueRefused } from '../model/field/field-kind-row.ts';

export interface HtmlTask {
  readonly id: number;
  readonly html: string;
}

/** Result of a task: the text, why the client must change it, or an internal error. */
export type HtmlAnswer =
  | { readonly id: number; readonly clean: string }
  | { readonly id: number; readonly refused: string }
  | { readonly id: number; readonly failed: string };

interface PendingTask extends HtmlTask {
  readonly resolve: (clean: string) => void;
  readonly reject: (error: Error) => void;
}

export interface ThreadOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Default: the built bin/html-worker.ts. */
  readonly start?: () => Worker;
}

/** Maximum characters that may wait: a few seconds of work. */
const MOST_WAITING = 4_000_000;
/** A text of the maximum length takes 0.3 s on a busy machine. */
const TASK_MS = 5000;
/** A thread uses about 15 MB, and takes 0.1 s to start. */
const IDLE_MS = 30_000;
const MOST_MEMORY_MB = 96;
const RETRY_SECONDS = '5';

/** The built thread is in the same folder as the built program. */
const FILE = new URL('./html-worker.js', import.meta.url);

function startWorker(): Worker {
  const { Worker } = process.getBuiltinModule('node:worker_threads');
  return new Worker(FILE, { execArgv: [], env: {}, resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY_MB } });
}

/**
 * Sanitizes long HTML in one separate thread, one text after the other, so that it does not block other requests. The
 * thread starts with the first text and ends after a while without one; a text that takes too long ends with its
 * thread.
 */
export class ThreadCleaner implements HtmlCleaner {
  readonly #options: ThreadOptions;
  readonly #queue: PendingTask[] = [];
  #characters = 0;
  #count = 0;
  #current: PendingTask | undefined;
  #worker: Worker | undefined;
  #cancelTimer: () => void = () => {};

  constructor(options: ThreadOptions) {
    this.#options = options;
  }

  /** @throws {@link ValueRefused}. @throws HTML_CLEANER_BUSY (503) if texts of 4 million characters are waiting. */
  clean(html: string): Promise<string> {
    if (this.#characters > 0 && this.#characters + html.length > MOST_WAITING) {
      const headers = { 'retry-after': RETRY_SECONDS };
      const message = 'Too many formatted texts are being saved: try again in a few seconds.';
      return Promise.reject(new TreadleError('HTML_CLEANER_BUSY', message, { status: 503, headers }));
    }
    this.#characters += html.length;
    this.#count += 1;
    return new Promise((resolve, reject) => {
      this.#queue.push({ id: this.#count, html, resolve, reject });
      if (!this.#current) this.#next();
    });
  }

  /** Ends the thread; waiting texts fail. */
  async close(): Promise<void> {
    const worker = this.#worker;
    const error = new TreadleError('HTML_CLEANER_CLOSED', 'The server is stopping.', { status: 503 });
    for (const { reject } of this.#queue.splice(0)) reject(error);
    this.#characters = this.#current?.html.length ?? 0;
    this.#end(error);
    await worker?.terminate();
  }

  #next(): void {
    this.#cancelTimer();
    const task = this.#queue.shift();
    this.#current = task;
    if (!task) {
      // An idle thread does not keep the process alive.
      this.#worker?.unref();
      this.#cancelTimer = this.#options.clock.after(IDLE_MS, () => this.#end());
      return;
    }
    this.#worker ??= this.#start();
    this.#worker.ref();
    this.#cancelTimer = this.#options.clock.after(TASK_MS, () => {
      this.#options.log.warn('sanitizing a formatted text took too long', { characters: task.html.length });
      this.#end(new ValueRefused('takes too long to sanitize: send a simpler text'));
    });
    this.#worker.postMessage({ id: task.id, html: task.html } satisfies HtmlTask);
  }

  #start(): Worker {
    const worker = (this.#options.start ?? startWorker)();
    worker.on('message', (answer: HtmlAnswer) => {
      const task = this.#current;
      if (worker !== this.#worker || task?.id !== answer.id) return;
      this.#characters -= task.html.length;
      if ('clean' in answer) task.resolve(answer.clean);
      else task.reject('refused' in answer ? new ValueRefused(answer.refused) : new Error(answer.failed));
      this.#next();
    });
    const fail = (error: Error): void => {
      if (worker === this.#worker) this.#end(error);
    };
    worker.on('error', fail);
    worker.on('exit', (code) => fail(new Error(`The thread that sanitizes HTML exited with code ${code}.`)));
    return worker;
  }

  /** Ends the thread and the text it works on; the next text starts another thread. */
  #end(error?: Error): void {
    this.#cancelTimer();
    const [worker, task] = [this.#worker, this.#current];
    this.#worker = undefined;
    this.#current = undefined;
    void worker?.terminate();
    if (!task || !error) return;
    this.#characters -= task.html.length;
    task.reject(error);
    if (this.#queue.length > 0) this.#next();
  }
}

/** The thread; undefined when run from source, where nothing is built and HTML is sanitized on the event loop. */
export function createHtmlCleaner(options: ThreadOptions): ThreadCleaner | undefined {
  return existsSync(FILE) ? new ThreadCleaner(options) : undefined;
}
