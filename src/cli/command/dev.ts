import { listGuarded } from '../../access/guard.ts';
import { systemClock } from '../../core/clock.ts';
import { isError, type Problem, ProblemsError, printProblem, readMessage } from '../../core/errors.ts';
import { isAddress, isLoopbackHost } from '../../core/text/host.ts';
import { ADDRESS_OPTIONS, readAddress } from '../address.ts';
import type { Application } from '../application.ts';
import { CrashGuard } from '../crash.ts';
import { keepErrors } from '../dev-errors.ts';
import { EXIT } from '../failure.ts';
import { limitHeapGrowth } from '../heap.ts';
import { listen } from '../production.ts';
import { noteRunning } from '../running.ts';
import { type CommandSpec, type Invocation, isOn } from '../spec.ts';
import { TYPES_FILE } from '../types/file.ts';
import { createLateTypes, type LateTypes, refreshTypes } from '../types/refresh.ts';

export const command: CommandSpec = {
  options: [
    ...ADDRESS_OPTIONS,
    { name: 'sql', description: 'logs each statement of the database with its milliseconds, rows and request' },
  ],
  examples: ['treadle dev', 'treadle dev --port 0', 'treadle dev --sql'],
  async run(invocation) {
    const { terminal, env, values } = invocation;
    const address = readAddress(invocation);
    const root = invocation.root();
    const [{ createApp, createServerLog }, { watchProject }] = await Promise.all([
      import('../../boot.ts'),
      import('../../project/watch.ts'),
    ]);
    const log = keepErrors(createServerLog({ root, mode: 'development', env }), root, systemClock);
    // A developer fixes the error and saves the file, so the server keeps running.
    const guard = new CrashGuard(log, root);
    const stopped = invocation.untilStopped();
    const fail = (): void => invocation.exit(EXIT.failed);
    const started = await startWhenWhole(invocation, stopped, () =>
      createApp({ root, mode: 'development', env, log, fail, logsStatements: isOn(values, 'sql') }),
    );
    if (started === undefined) {
      guard.release();
      return { data: undefined };
    }
    const { app, since } = started;
    limitHeapGrowth();
    for (const problem of app.problems) terminal.say(printProblem(problem));
    const noted: { forget: () => void } = { forget: () => {} };
    const url = await listen(app, invocation, address, (told) => {
      noted.forget = noteRunning(root, told);
    });
    terminal.say(terminal.dim('Saved files are served at once. Ctrl-C stops the server.'));
    const guarded = listGuarded(app.plan.model);
    if (guarded.length > 0) terminal.say(terminal.dim(`Roles guard: ${guarded.join(', ')}`));
    if (app.plan.hooks.length > 0) terminal.say(terminal.dim(`Web hooks: ${url}/developer/webhooks/inbox`));
    const named = toNamedUrl(url);
    if (named !== url) terminal.say(terminal.dim(`Passkeys: ${named} (a browser refuses them at an IP address)`));
    if (app.services.mailer.way === 'outbox') terminal.say(terminal.dim(`Mail: ${url}/__treadle/mail`));
    // Without accounts there is no admin section.
    if (app.plan.routes.some(({ path }) => path === '/admin')) terminal.say(terminal.dim(`Admin: ${url}/admin`));
    const setup = await findSetupLink(app);
    if (setup !== undefined) terminal.say(terminal.dim(`First administrator: ${setup}`));
    await refreshTypes(app.plan, root);
    const types = createLateTypes(() =>
      refreshTypes(app.plan, root).catch((error: unknown) => terminal.say(terminal.red(readMessage(error)))),
    );
    const reload = createReloader(app, invocation, types);
    const watch = watchProject(root, reload, {
      since,
      onError: (error) => terminal.say(`Files can't be watched: ${readMessage(error)}`),
    });
    await stopped;
    noted.forget();
    await watch.close();
    await types.settle();
    await app.close();
    guard.release();
    return { data: undefined };
  },
};

/** The same server by the name `localhost`, if it is called by a loopback address. */
function toNamedUrl(url: string): string {
  const named = new URL(url);
  if (!isAddress(named.hostname) || !isLoopbackHost(named.hostname)) return url;
  named.hostname = 'localhost';
  return named.href.replace(/\/$/, '');
}

interface DevRun {
  readonly app: Application;
  /** The files as they were before the application read them. */
  readonly since: ReadonlyMap<string, string>;
}

/**
 * Starts the application. While a definition, a template or the code is broken, prints the problems, waits until a file is
 * saved, and starts it again. Undefined if it is stopped before.
 */
async function startWhenWhole(
  invocation: Invocation,
  stopped: Promise<void>,
  create: () => Promise<Application>,
): Promise<DevRun | undefined> {
  const { terminal } = invocation;
  const { readStates } = await import('../../project/watch.ts');
  const root = invocation.root();
  for (;;) {
    const since = readStates(root);
    try {
      return { app: await create(), since };
    } catch (error) {
      if (!(error instanceof ProblemsError)) throw error;
      for (const problem of error.problems) terminal.say(terminal.red(printProblem(problem)));
      terminal.say('The server starts when this is fixed; it looks again each time a file is saved.');
    }
    if (!(await untilSaved(root, since, stopped))) return undefined;
  }
}

/** True once a file differs from its earlier state; false if the command is stopped. */
async function untilSaved(root: string, since: ReadonlyMap<string, string>, stopped: Promise<void>): Promise<boolean> {
  const { watchProject } = await import('../../project/watch.ts');
  const saved: { tell: (isSaved: boolean) => void } = { tell: () => {} };
  const changed = new Promise<boolean>((resolve) => {
    saved.tell = resolve;
  });
  const watch = watchProject(root, () => saved.tell(true), { since });
  const isSaved = await Promise.race([changed, stopped.then(() => false)]);
  await watch.close();
  return isSaved;
}

/** A link by which the developer signs up as the first administrator; undefined if there is one, or no accounts at all. */
async function findSetupLink(app: Application): Promise<string | undefined> {
  const response = await app.emit('auth-setup-link');
  const link = response.getResults('link');
  return typeof link === 'string' ? link : undefined;
}

/** Maximum number of changed files to name; the rest is counted. */
const NAMED_FILES = 3;

function toNamed(files: readonly string[]): string {
  const more = files.length - NAMED_FILES;
  return `${files.slice(0, NAMED_FILES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Runs reloads one after the other, however fast files are saved; prints the problems, and each advice once. */
function createReloader(
  app: Application,
  { terminal }: Invocation,
  types: LateTypes,
): (files: readonly string[]) => void {
  const state = {
    queue: Promise.resolve(),
    waiting: new Set<string>(),
    wasBroken: false,
    told: new Set(app.problems.map(printProblem)),
  };
  const tell = (problems: readonly Problem[], files: readonly string[]): void => {
    for (const problem of problems) {
      const text = printProblem(problem);
      if (isError(problem)) terminal.say(terminal.red(text));
      else if (!state.told.has(text)) terminal.say(text);
    }
    const isBroken = problems.some(isError);
    // Errors hide later advice. When they are fixed, advice that was printed before is not repeated.
    state.told = new Set([...(isBroken ? state.told : []), ...problems.map(printProblem)]);
    if (isBroken) terminal.say('The last good version stays in use.');
    else terminal.say(terminal.dim(`${state.wasBroken ? 'Fixed. ' : ''}Reloaded ${toNamed(files)}.`));
    state.wasBroken = isBroken;
  };
  const reload = async (): Promise<void> => {
    const files = [...state.waiting];
    state.waiting.clear();
    try {
      tell(await app.reload(), files);
      types.soon();
    } catch (error) {
      if (error instanceof ProblemsError) return tell(error.problems, files);
      terminal.say(terminal.red(readMessage(error)));
    }
  };
  return (told) => {
    // The command writes this file itself, and it is not served.
    const files = told.filter((file) => file !== TYPES_FILE);
    if (files.length === 0) return;
    // A waiting reload will include files that are saved until it begins.
    const isWaiting = state.waiting.size > 0;
    for (const file of files) state.waiting.add(file);
    if (!isWaiting) state.queue = state.queue.then(reload);
  };
}
