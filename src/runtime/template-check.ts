import { isError, type Problem } from '../core/errors.ts';
import type { Log } from '../core/log.ts';

/**
 * Logs what is broken in the templates of a running server. A new version of the project may replace or remove files
 * meanwhile, which must not end the server.
 */
export function logTemplateProblems(check: () => readonly Problem[], log: Log): void {
  try {
    for (const { file, line, message, hint } of check().filter(isError))
      log.error('a template is broken', { file, line, message, hint });
  } catch (error) {
    log.warn('templates were not checked', { message: error instanceof Error ? error.message : String(error) });
  }
}
