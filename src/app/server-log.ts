import { type Clock, systemClock } from '../core/clock.ts';
import type { Log } from '../core/log/log.ts';
import { createProcessLog } from '../core/log/process-log.ts';
import type { Mode } from '../http/exchange.ts';
import { readEnvironment } from '../project/environment.ts';

interface ServerLogOptions {
  readonly root: string;
  readonly mode: Mode;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock?: Clock;
}

/** The log of a server: text for a person in development, else JSON, from the level of `LOG_LEVEL` up. */
export function createServerLog({ root, mode, env, clock = systemClock }: ServerLogOptions): Log {
  const { logLevel: level } = readEnvironment(root, env);
  return createProcessLog({ form: mode === 'development' ? 'text' : 'json', level, clock });
}
