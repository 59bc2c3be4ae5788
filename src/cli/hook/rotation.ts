import { sql } from 'kysely';
import type { Definitions } from '../../model/definitions.ts';
import { overrideSettings, readEnvironment } from '../../project/environment.ts';
import { withDatabase } from '../database.ts';
import type { Invocation } from '../spec.ts';

const DAY = 86_400;
/** Receivers that a warning names. */
const NAMED = 5;

interface Rotating {
  readonly url: string;
  readonly client_id: string | null;
}

/**
 * What to warn of before another rotation: two secrets sign at most, so the one from before a rotation that is under way
 * ends at once. The project is not started for it, since that would itself begin the day of a rotation that no server
 * has seen yet.
 *
 * @param whose A hook's name, or an app's client id.
 * @param now Unix seconds.
 */
export async function warnOfRotation(
  { root, env }: Invocation,
  definitions: Definitions,
  whose: { readonly hook: string } | { readonly clientId: string },
  now: number,
): Promise<string[]> {
  const { url } = overrideSettings(definitions.settings.value, readEnvironment(root(), env)).database;
  const test = 'hook' in whose ? sql`hook = ${whose.hook}` : sql`client_id = ${whose.clientId}`;
  try {
    const { rows } = await withDatabase({ root: root(), url, isMaking: false }, ({ kysely }) =>
      sql<Rotating>`select distinct url, client_id from treadle_receiver
        where ${test} and rotated_at > ${now - DAY} order by url`.execute(kysely),
    );
    return toWarning(rows);
  } catch {
    // No table yet, or no database: then nothing was signed, or nobody here can tell.
    return [];
  }
}

function toWarning(rows: readonly Rotating[]): string[] {
  if (rows.length === 0) return [];
  const names = rows.slice(0, NAMED).map((row) => (row.client_id === null ? row.url : `${row.url} (${row.client_id})`));
  const more = rows.length > NAMED ? ` and ${rows.length - NAMED} more` : '';
  return [
    'An earlier rotation is less than 24 hours old. The oldest secret ends now. Receivers that have not taken the newer one',
    `reject deliveries: ${names.join(', ')}${more}`,
  ];
}
