import type { Log } from '../core/log/log.ts';
import type { Database } from '../database/database.ts';

/** Logs the statements of a database; what few need is loaded when they need it. */
export async function addStatementLog(database: Database, log: Log): Promise<Database> {
  const { logStatements } = await import('../database/statement-log.ts');
  return logStatements(database, { log, now: () => performance.now() });
}
