import { listGuarded } from '../access/guard.ts';
import { systemClock } from '../core/clock.ts';
import { getCluster, isWorker } from '../core/cluster.ts';
import type { Log } from '../core/log/log.ts';
import { createProcessLog } from '../core/log/process-log.ts';
import { toBasePath } from '../core/text/base-path.ts';
import { listRuled } from '../model/role/role.ts';
import { readEnvironment } from '../project/environment.ts';
import { type Address, findPlainHttp, readAddress } from './address.ts';
import type { Application } from './application.ts';
import { CrashGuard } from './crash.ts';
import { EXIT } from './failure.ts';
import { limitHeapGrowth } from './heap.ts';
import { findMailGap } from './mail.ts';
import { findProviderGaps } from './provider.ts';
import { noteRunning } from './running.ts';
import type { Invocation, Outcome } from './spec.ts';

/** Milliseconds that a server has to end, after the drain time. */
export const END_MS = 10_000;

/** The log of a production server, or of the process that supervises its workers. */
export function createProductionLog(invocation: Invocation): Log {
  return createProcessLog({ level: readEnvironment(invocation.root(), invocation.env).logLevel });
}

export function announce({ terminal }: Invocation, url: string): void {
  if (terminal.isJson) terminal.document({ url });
  terminal.print(url);
}

/**
 * Listens and prints the address; closes the application if it cannot listen.
 * @param note Called with the address before it is printed.
 * @returns What is printed: the address, in development with the path of the base URL.
 */
export async function listen(
  app: Application,
  invocation: Invocation,
  address: Address,
  note?: (url: string) => void,
): Promise<string> {
  const url = await app.listen(address).catch(async (error: unknown) => {
    await app.close();
    throw error;
  });
  note?.(url);
  const shown = app.plan.isDevelopment ? url + toBasePath(app.services.baseUrl()) : url;
  announce(invocation, shown);
  return shown;
}

/** Starts the project's application in production mode. */
export async function startProduction(invocation: Invocation, log: Log): Promise<Application> {
  const { createApp } = await import('../boot.ts');
  const fail = (): void => invocation.exit(EXIT.failed);
  const app = await createApp({ root: invocation.root(), mode: 'production', env: invocation.env, log, fail });
  limitHeapGrowth();
  const plain = findPlainHttp(readAddress(invocation).host, app.plan.model.settings.server);
  const environment = readEnvironment(invocation.root(), invocation.env);
  const gap = findMailGap(environment, app.plan.model.settings);
  // Only the first of several workers reports it.
  if (isWorker && getCluster().worker?.id !== 1) return app;
  for (const { file, line, message, hint } of app.problems.filter(({ severity }) => severity === 'warning'))
    log.warn('a mistake in the project', { file, line, message, hint });
  if (plain !== undefined) log.warn('plain-http', { message: plain });
  if (gap !== undefined) log.warn('no-mail', { message: gap });
  for (const { message, hint } of findProviderGaps(environment, app.plan.model.settings))
    log.warn('no-provider', { message, hint });
  const guarded = listGuarded(app.plan.model);
  if (guarded.length > 0)
    log.warn('roles-guard', { message: 'Only users with the role may open these paths.', guarded });
  const ruled = listRuled(app.plan.model);
  if (ruled.length > 0) log.warn('roles-rule', { message: 'What no role allows is refused for these schemas.', ruled });
  return app;
}

/** Closes the application, and ends the process if that takes too long. */
export async function closeInTime(app: Application, invocation: Invocation, log: Log): Promise<void> {
  const { drainSeconds } = app.plan.model.settings.server;
  const cancel = systemClock.after(drainSeconds * 1000 + END_MS, () => {
    log.error('the server did not stop in time');
    invocation.exit(EXIT.failed);
  });
  await app.close();
  cancel();
}

/** Serves in production mode in this process until it is asked to stop. */
export async function serveProduction(invocation: Invocation): Promise<Outcome> {
  const address = readAddress(invocation);
  const log = createProductionLog(invocation);
  const guard = new CrashGuard(log, invocation.root());
  try {
    const app = await startProduction(invocation, log);
    const stopped = invocation.untilStopped();
    const noted: { forget: () => void } = { forget: () => {} };
    await listen(app, invocation, address, (url) => {
      noted.forget = noteRunning(invocation.root(), url, 'start');
    });
    await Promise.race([stopped, guard.crashed]);
    await closeInTime(app, invocation, log);
    noted.forget();
    return { data: undefined, exitCode: guard.isCrashed ? EXIT.failed : EXIT.done };
  } finally {
    guard.release();
  }
}
