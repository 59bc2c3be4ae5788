import { systemRandom } from '../core/clock.ts';
import { isError, ProblemsError, TreadleError } from '../core/errors.ts';
import { toObject } from '../core/record.ts';
import type { Response } from '../core/request/response.ts';
import { currentScope } from '../core/scope.ts';
import { createRootSecret, type RootSecret } from '../core/secret/secret.ts';
import type { ServedMode } from '../database/served-mode.ts';
import type { CompiledPlan } from '../plan/compile.ts';
import { readEnvironment } from '../project/environment.ts';
import { askDatabase } from './database.ts';
import { createUsageError } from './failure.ts';
import { findRunning } from './running.ts';
import type { Invocation, Outcome } from './spec.ts';

type Boot = typeof import('../boot.ts');
export type Application = Awaited<ReturnType<Boot['createApp']>>;

/**
 * Opens the project's application with its database for one task, and closes it afterwards. It starts no workers:
 * the server sends the web hooks that the task adds to the queue, and whatever else is due.
 *
 * @throws DATABASE_BEHIND, SECRET_MISSING if the database counts as production: see {@link findCommandMode}.
 */
export async function withApplication<T>(invocation: Invocation, work: (app: Application) => Promise<T>): Promise<T> {
  const { createApp } = await import('../boot.ts');
  const { env, passwordCost } = invocation;
  const mode = await findMode(invocation);
  const log = createQuietLog(invocation);
  const root = invocation.root();
  const url = findRunning(root);
  const app = await createApp({
    root,
    mode,
    env,
    log,
    hasWorkers: false,
    passwordCost,
    ...(url === undefined ? {} : { url }),
  });
  try {
    const started = { by: 'command', name: invocation.command } as const;
    return await currentScope.run({ ...currentScope.getStore(), started }, () => work(app));
  } finally {
    await app.close();
  }
}

/** The mode of a command on this project, from its environment or its database. */
export async function findMode(invocation: Invocation): Promise<ServedMode> {
  const [{ findCommandMode }, { findServedMode }] = await Promise.all([
    import('../app/serving.ts'),
    import('../database/served-mode.ts'),
  ]);
  const { mode } = readEnvironment(invocation.root(), invocation.env);
  return findCommandMode(mode, () => askDatabase(invocation, findServedMode));
}

/**
 * The project's root secret, for a command that needs nothing else of the application.
 *
 * @param secret `TREADLE_SECRET`.
 * @throws SECRET_OTHER at its first use, if the server of the database has another one.
 */
export async function getCommandSecret(invocation: Invocation, secret: string): Promise<RootSecret> {
  const { guardSecret } = await import('../app/root-secret.ts');
  return guardSecret(createRootSecret(secret, systemRandom), await readServerSecret(invocation));
}

/**
 * Fingerprint of the root secret that last served the database; undefined if the database is missing or was never
 * served.
 */
export async function readServerSecret(invocation: Invocation): Promise<string | undefined> {
  const { readServed } = await import('../database/served-mode.ts');
  return askDatabase(invocation, async (database) => (await readServed(database)).print).catch(() => undefined);
}

/** The runtime's log of a one-off command: only warnings and errors, on standard error. */
function createQuietLog({ terminal }: Invocation) {
  const tell = (event: string, fields: Readonly<Record<string, unknown>> = {}): void => {
    const { error, message } = fields;
    const text = error instanceof Error ? error.message : (message ?? '');
    terminal.say(`${event}${text === '' ? '' : `: ${String(text)}`}`);
  };
  return { debug() {}, info() {}, warn: tell, error: tell };
}

/** The plan of the project's files; needs no database. @throws ProblemsError if a definition is invalid. */
export async function compilePlan(invocation: Invocation): Promise<CompiledPlan> {
  const { compileProject } = await import('../boot.ts');
  const { plan, problems } = await compileProject(invocation.root(), invocation.env);
  if (plan) return plan;
  throw new ProblemsError(problems.filter(isError));
}

/** The account of a user, as `auth-detail` gives it. @throws CLI_USAGE if no user has that e-mail. */
export async function getUser(app: Application, email: string): Promise<Readonly<Record<string, unknown>>> {
  const response = await app.emit('auth-detail', { auth_slug: email });
  if (response.isError()) throw createUsageError(`There is no user ${email}.`, 'See: treadle user list');
  return toObject(response.getResults());
}

/** The response's failure as lines; a message that repeats a field's message is printed once. */
export function toFailureText(response: Response, names: Readonly<Record<string, string>> = {}): string[] {
  const message = response.getMessage() ?? 'The event failed.';
  const fields = Object.entries(toObject(response.getValidation())).map(
    ([key, text]) => `${names[key] ?? key}: ${typeof text === 'string' ? text : JSON.stringify(text)}`,
  );
  const isSaid = fields.length === 1 && fields[0]?.endsWith(`: ${message}`);
  return isSaid ? fields : [message, ...fields];
}

/** The results of an event. @param names See {@link refuseFailure}. @throws CLI_EVENT_FAILED */
export async function getResults<T>(
  app: Application,
  event: string,
  stage: Readonly<Record<string, unknown>>,
  names: Readonly<Record<string, string>> = {},
): Promise<T> {
  const response = await app.emit(event, stage);
  refuseFailure(response, names);
  return response.getResults<T>();
}

/** The four steps of a command that changes what it finds. */
export interface Steps<T> {
  readonly find: (app: Application) => Promise<T>;
  /** What the command would do, for `--dry-run`. */
  readonly show: (found: T, app: Application) => Outcome | Promise<Outcome>;
  /** Asks the user. Default: does not ask. */
  readonly agree?: (found: T) => Promise<void>;
  readonly run: (found: T, app: Application) => Promise<Outcome>;
}

/** Finds, then shows what would be done, or asks and does it. */
export const runSteps = <T>(invocation: Invocation, { find, show, agree, run }: Steps<T>): Promise<Outcome> =>
  withApplication(invocation, async (app) => {
    const found = await find(app);
    if (invocation.isDryRun) return show(found, app);
    await agree?.(found);
    return run(found, app);
  });

/**
 * Throws the response's failure, so that the command fails with its message.
 *
 * @param names The command's names for the stage's keys, such as `--email`.
 * @throws CLI_EVENT_FAILED
 */
export function refuseFailure(response: Response, names: Readonly<Record<string, string>> = {}): void {
  if (!response.isError()) return;
  const [message = '', ...hint] = toFailureText(response, names);
  throw new TreadleError('CLI_EVENT_FAILED', message, {
    status: 422,
    ...(hint.length === 0 ? {} : { hint: hint.join('\n') }),
  });
}
