import type { Clock } from '../core/clock.ts';
import { isError, type Problem, readMessage } from '../core/errors.ts';
import type { Log } from '../core/log/log.ts';

/**
 * Logs what is broken in the templates of a running server. A new version of the project may replace or remove files
 * meanwhile, which must not end the server.
 */
export function logTemplateProblems(check: () => readonly Problem[], log: Log): void {
  try {
    for (const { file, line, message, hint } of check().filter(isError))
      log.error('a template is broken', { file, line, message, hint });
  } catch (error) {
    log.warn('templates were not checked', { message: readMessage(error) });
  }
}

const LATER_MS = 2000;

/** Logs what is broken soon after the start: reading every template would delay the first answer. */
export function checkTemplatesLater(
  check: () => readonly Problem[],
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): void {
  clock.after(LATER_MS, () => logTemplateProblems(check, log));
}
