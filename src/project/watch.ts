import { join, relative, sep } from 'node:path';
import { watch } from 'chokidar';
import { isNoise, listFiles, toState } from './file-state.ts';

export interface Watch {
  /** Resolves when the watcher is ready. */
  readonly ready: Promise<void>;
  close(): Promise<void>;
}

export interface WatchOptions {
  /** Milliseconds without a change before changes are reported. Default 20. */
  readonly settle?: number;
  /**
   * The files as they were read last: what changed since then is reported too, as soon as the watcher is ready. Default:
   * only later changes.
   */
  readonly since?: ReadonlyMap<string, string>;
  /** Called with errors of the watcher itself. Default: ignored. */
  readonly onError?: (error: unknown) => void;
}

/**
 * Milliseconds for which chokidar suppresses a second change of the same file; the file is checked again
 * afterwards.
 */
const THROTTLE = 70;
/**
 * Delays in milliseconds for listing a new folder. chokidar reports no event for files written between its
 * listing and its watch: the first definition of a kind would be missed.
 */
const LOOKS = [0, THROTTLE, 400] as const;
/** How often to wait for a file that is still being written. */
const PATIENCE = 10;

const isEmptyFile = (state: string): boolean => state.split(' ')[1] === '0';

/**
 * Collects changes until no more arrive. Waits for a file that keeps changing or is empty, as editors leave
 * it for a moment. Reports a file again that changes just after a report.
 */
class Settler {
  readonly #pending = new Map<string, string>();
  readonly #tell: (paths: string[]) => void;
  readonly #settle: number;
  readonly #timers = new Set<NodeJS.Timeout>();
  /** Last reported state of the files in new folders. */
  readonly #known = new Map<string, string>();
  #isEnded = false;
  #wait: NodeJS.Timeout | undefined;
  #patience = PATIENCE;

  constructor(settle: number, tell: (paths: string[]) => void) {
    this.#settle = settle;
    this.#tell = tell;
  }

  notice(path: string): void {
    const state = toState(path);
    this.#pending.set(path, state);
    this.#known.set(path, state);
    this.#patience = PATIENCE;
    this.#arm();
  }

  /** Lists a new folder for files without an event. */
  look(folder: string): void {
    for (const delay of LOOKS) {
      this.#after(delay, () => {
        for (const path of listFiles(folder)) if (this.#known.get(path) !== toState(path)) this.notice(path);
      });
    }
  }

  /** Reports the files that differ from an earlier state, unless an event already reported them. */
  compare(since: ReadonlyMap<string, string>, files: readonly string[]): void {
    for (const path of new Set([...since.keys(), ...files])) {
      const state = toState(path);
      if ((since.get(path) ?? '') !== state && this.#known.get(path) !== state) this.notice(path);
    }
  }

  #after(milliseconds: number, callback: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      callback();
    }, milliseconds);
    this.#timers.add(timer);
  }

  #arm(): void {
    if (this.#isEnded) return;
    clearTimeout(this.#wait);
    this.#wait = setTimeout(() => this.#ripen(), this.#settle);
  }

  #ripen(): void {
    let isRipe = true;
    for (const [path, state] of this.#pending) {
      const now = toState(path);
      if (now !== state || isEmptyFile(now)) isRipe = false;
      this.#pending.set(path, now);
      this.#known.set(path, now);
    }
    if (!isRipe && this.#patience > 0) {
      this.#patience -= 1;
      this.#arm();
      return;
    }
    const told = new Map(this.#pending);
    this.#pending.clear();
    this.#tell([...told.keys()]);
    this.#after(THROTTLE, () => {
      for (const [path, state] of told) if (!this.#pending.has(path) && toState(path) !== state) this.notice(path);
    });
  }

  end(): void {
    this.#isEnded = true;
    clearTimeout(this.#wait);
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }
}

const listWatched = (root: string): string[] => ['config', 'app', 'public', '.env'].map((name) => join(root, name));

const listWatchedFiles = (root: string): string[] => [
  ...['config', 'app', 'public'].flatMap((name) => listFiles(join(root, name))),
  join(root, '.env'),
];

/** The state of every watched file, by its path: for {@link WatchOptions.since}. Take it before the files are read. */
export const readStates = (root: string): Map<string, string> =>
  new Map(listWatchedFiles(root).map((path) => [path, toState(path)]));

/**
 * Watches `config/`, `app/`, `public/` and `.env` of a project. Calls `onChange` with the added, changed
 * and removed files (relative to the root, forward slashes) once no more changes arrive.
 */
export function watchProject(root: string, onChange: (files: string[]) => void, options: WatchOptions = {}): Watch {
  const settler = new Settler(options.settle ?? 20, (paths) =>
    onChange(paths.map((path) => relative(root, path).split(sep).join('/')).sort()),
  );
  const watcher = watch(listWatched(root), {
    ignoreInitial: true,
    ignored: isNoise,
    atomic: false,
  });
  for (const event of ['add', 'change', 'unlink'] as const) watcher.on(event, (path) => settler.notice(path));
  watcher.on('addDir', (path) => settler.look(path));
  watcher.on('error', (error) => options.onError?.(error));
  const ready = new Promise<void>((resolve) => watcher.on('ready', resolve)).then(() => {
    if (options.since) settler.compare(options.since, listWatchedFiles(root));
  });
  return {
    ready,
    async close() {
      settler.end();
      await watcher.close();
    },
  };
}
