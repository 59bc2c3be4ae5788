import { statSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import { watch } from 'chokidar';
import { TEMPORARY } from './write.ts';

export interface Watch {
  /** Resolves once changes are seen. */
  readonly ready: Promise<void>;
  close(): Promise<void>;
}

export interface WatchOptions {
  /** Milliseconds of quiet after which changes are told. Default 20. */
  readonly settle?: number;
  /** Told of what the watcher itself could not do. Default: nothing. */
  readonly onError?: (error: unknown) => void;
}

/** Milliseconds within which chokidar leaves out a second change of one file; it is looked at again after that. */
const THROTTLE = 70;
/** How often a file that is still being written is waited for. */
const PATIENCE = 10;

/** Swap and backup files of editors, and our own half-written ones. */
function isNoise(path: string): boolean {
  const name = basename(path);
  if (name === '.env' || name === '.treadle.ts') return false;
  return (
    name.endsWith(TEMPORARY) ||
    /^(?:node_modules|\.git|\.DS_Store|4913)$/.test(name) ||
    /(?:~|\.sw[a-z]|\.tmp|\.bak|___jb_(?:tmp|old)___)$/.test(name) ||
    /^(?:\.#|#.*#$)/.test(name)
  );
}

/** What tells one state of a file from another; empty where it is not there. */
function toState(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false, bigint: true });
  return stat === undefined ? '' : `${stat.ino} ${stat.size} ${stat.mtimeNs}`;
}

const isEmptyFile = (state: string): boolean => state.split(' ')[1] === '0';

/**
 * Collects changes until it is quiet. A file that changes while we wait, or stands empty as editors leave it for a
 * moment, is waited for; one that changes just after it was told of is told of again.
 */
class Settler {
  readonly #pending = new Map<string, string>();
  readonly #tell: (paths: string[]) => void;
  readonly #settle: number;
  readonly #timers = new Set<NodeJS.Timeout>();
  #wait: NodeJS.Timeout | undefined;
  #patience = PATIENCE;

  constructor(settle: number, tell: (paths: string[]) => void) {
    this.#settle = settle;
    this.#tell = tell;
  }

  hear(path: string): void {
    this.#pending.set(path, toState(path));
    this.#patience = PATIENCE;
    this.#arm();
  }

  #arm(): void {
    clearTimeout(this.#wait);
    this.#wait = setTimeout(() => this.#ripen(), this.#settle);
  }

  #ripen(): void {
    let isRipe = true;
    for (const [path, state] of this.#pending) {
      const now = toState(path);
      if (now !== state || isEmptyFile(now)) isRipe = false;
      this.#pending.set(path, now);
    }
    if (!isRipe && this.#patience > 0) {
      this.#patience -= 1;
      this.#arm();
      return;
    }
    const told = new Map(this.#pending);
    this.#pending.clear();
    this.#tell([...told.keys()]);
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      for (const [path, state] of told) if (!this.#pending.has(path) && toState(path) !== state) this.hear(path);
    }, THROTTLE);
    this.#timers.add(timer);
  }

  end(): void {
    clearTimeout(this.#wait);
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }
}

/**
 * Watches `config/`, `app/` and `.env` of a project; `onChange` is told the files (from the root, forward slashes)
 * that were made, changed or removed, once it is quiet.
 */
export function watchProject(root: string, onChange: (files: string[]) => void, options: WatchOptions = {}): Watch {
  const settler = new Settler(options.settle ?? 20, (paths) =>
    onChange(paths.map((path) => relative(root, path).split(sep).join('/')).sort()),
  );
  const watcher = watch([join(root, 'config'), join(root, 'app'), join(root, '.env')], {
    ignoreInitial: true,
    ignored: isNoise,
    atomic: false,
  });
  for (const event of ['add', 'change', 'unlink'] as const) watcher.on(event, (path) => settler.hear(path));
  watcher.on('error', (error) => options.onError?.(error));
  const ready = new Promise<void>((resolve) => watcher.on('ready', resolve));
  return {
    ready,
    async close() {
      settler.end();
      await watcher.close();
    },
  };
}
