import { readdirSync, statSync } from 'node:fs';
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
/**
 * Milliseconds after which a new folder is looked through. What is written between chokidar's listing of a folder and
 * its watching of it has no event: the first definition of a kind would go unseen.
 */
const LOOKS = [0, THROTTLE, 400] as const;
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

/** Files of a folder and those below; none where it is gone. */
function listFiles(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name);
      if (isNoise(path)) return [];
      return entry.isDirectory() ? listFiles(path) : [path];
    });
  } catch {
    return [];
  }
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
  /** What files of new folders were when they were last heard of. */
  readonly #known = new Map<string, string>();
  #isEnded = false;
  #wait: NodeJS.Timeout | undefined;
  #patience = PATIENCE;

  constructor(settle: number, tell: (paths: string[]) => void) {
    this.#settle = settle;
    this.#tell = tell;
  }

  hear(path: string): void {
    const state = toState(path);
    this.#pending.set(path, state);
    this.#known.set(path, state);
    this.#patience = PATIENCE;
    this.#arm();
  }

  /** Looks through a new folder for what had no event. */
  look(folder: string): void {
    for (const delay of LOOKS) {
      this.#after(delay, () => {
        for (const path of listFiles(folder)) if (this.#known.get(path) !== toState(path)) this.hear(path);
      });
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
      for (const [path, state] of told) if (!this.#pending.has(path) && toState(path) !== state) this.hear(path);
    });
  }

  end(): void {
    this.#isEnded = true;
    clearTimeout(this.#wait);
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }
}

/**
 * Watches `config/`, `app/`, `public/` and `.env` of a project; `onChange` is told the files (from the root, forward slashes)
 * that were made, changed or removed, once it is quiet.
 */
export function watchProject(root: string, onChange: (files: string[]) => void, options: WatchOptions = {}): Watch {
  const settler = new Settler(options.settle ?? 20, (paths) =>
    onChange(paths.map((path) => relative(root, path).split(sep).join('/')).sort()),
  );
  const watcher = watch([join(root, 'config'), join(root, 'app'), join(root, 'public'), join(root, '.env')], {
    ignoreInitial: true,
    ignored: isNoise,
    atomic: false,
  });
  for (const event of ['add', 'change', 'unlink'] as const) watcher.on(event, (path) => settler.hear(path));
  watcher.on('addDir', (path) => settler.look(path));
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
