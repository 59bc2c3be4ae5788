import { apartAsSystem } from '../../core/access.ts';
import type { Clock } from '../../core/clock.ts';
import { isWorker } from '../../core/cluster.ts';
import { isError, type Problem, ProblemsError } from '../../core/errors.ts';
import type { Log } from '../../core/log/log.ts';
import { currentScope } from '../../core/scope.ts';
import type { Database } from '../../database/database.ts';
import type { Gate } from '../../http/gate.ts';
import type { ReloadMigration } from '../../plan/reload-migration.ts';
import { readFingerprint } from '../../project/file-state.ts';
import { toReloadProblem } from './problem.ts';
import { createReloadLink, type ReloadLink } from './workers.ts';

/** Channel on which processes with the same database announce reloads. */
const TOPIC = 'definitions';

/** The part of an application that reloads. */
export interface Reloadable {
  readonly problems: readonly Problem[];
  reload(migration?: ReloadMigration): Promise<readonly Problem[]>;
}

export interface SharedReloadOptions {
  readonly root: string;
  readonly clock: Clock;
  readonly log: Log;
  /** False for a one-off command, which neither announces nor receives reloads. */
  readonly isServer: boolean;
  /**
   * False if most likely no other process announces reloads, until {@link SharedReload.start} knows it. If one does all
   * the same, its first announcement reloads even if no file has changed. Default true.
   */
  readonly hasOthers?: boolean | undefined;
}

/** Reloads outside the exchange and the access of the caller. */
async function reloadAlone(application: Reloadable, migration?: ReloadMigration): Promise<readonly Problem[]> {
  try {
    return await apartAsSystem(() => application.reload(migration));
  } catch (error) {
    return error instanceof ProblemsError ? error.problems : [toReloadProblem(error)];
  }
}

/**
 * Reloads this process and then all others that serve the project: the workers of the same `treadle start --workers`,
 * through the first process, and on PostgreSQL every process on the database. A notified process reads its own files
 * again, but only if they changed since it compiled them, because it may be notified of one reload more than once.
 */
export class SharedReload {
  readonly #options: SharedReloadOptions;
  readonly #link: ReloadLink | undefined;
  /** Resolves when the application has started: a worker that is notified before that compiles again then. */
  readonly #started: Promise<{ readonly application: Reloadable; readonly database: Database; readonly gate: Gate }>;
  #start: (parts: { application: Reloadable; database: Database; gate: Gate }) => void = () => {};
  #fingerprint = '';
  /** False once it is known that no other process announces reloads. */
  #hasOthers: boolean;
  #unlisten: (() => void) | undefined;
  #isClosed = false;

  constructor(options: SharedReloadOptions) {
    this.#options = options;
    this.#hasOthers = isWorker || options.hasOthers !== false;
    this.#started = new Promise((resolve) => {
      this.#start = resolve;
    });
    this.#link = options.isServer && isWorker ? createReloadLink(options.clock, () => this.#hear()) : undefined;
  }

  /** Records the state of the files; called before each compilation. */
  note(): void {
    if (this.#options.isServer && this.#hasOthers) this.#fingerprint = readFingerprint(this.#options.root);
  }

  start(application: Reloadable, database: Database, gate: Gate): void {
    this.#start({ application, database, gate });
    if (!this.#options.isServer) return;
    this.#hasOthers = this.#link !== undefined || database.hasOthers;
    this.#unlisten = database.listen(TOPIC, () => void this.#hear());
  }

  /** Implements `Services.reload`. */
  async reload(migration?: ReloadMigration): Promise<readonly Problem[]> {
    const { application, database, gate } = await this.#started;
    // A migration that waits for the requests in flight must not wait for the one that requested it.
    const isAnswering = currentScope.getStore()?.caller?.isDone === false;
    if (isAnswering) gate.leave();
    let problems: readonly Problem[];
    try {
      problems = await reloadAlone(application, migration);
    } finally {
      if (isAnswering) gate.enter();
    }
    if (problems.some(isError) || !this.#options.isServer) return problems;
    database.announce(TOPIC);
    await this.#link?.spread();
    return problems;
  }

  /** Another process has reloaded. */
  async #hear(): Promise<void> {
    const { application } = await this.#started;
    const { root, log } = this.#options;
    if (this.#isClosed) return;
    // What did not compile may compile now, for example after a migration.
    if (this.#fingerprint === readFingerprint(root) && !application.problems.some(isError)) return;
    const problems = (await reloadAlone(application)).filter(isError);
    if (problems.length === 0) log.info('the definitions were reloaded');
    else log.error('the definitions were not reloaded; the old ones stay in use', { problems });
  }

  close(): void {
    this.#isClosed = true;
    this.#unlisten?.();
    this.#link?.close();
  }
}
