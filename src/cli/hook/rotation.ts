import { sql } from 'kysely';
import { systemClock, toSeconds } from '../../core/clock.ts';
import { askDatabase } from '../database.ts';
import type { Invocation } from '../spec.ts';
import { type Receiver, toReceiverText } from './receiver.ts';

const DAY = 86_400;
/** Receivers that a warning names. */
const NAMED = 5;

type ReceiverAddress = Pick<Receiver, 'url' | 'client_id'>;

/**
 * What to warn of before another rotation: two secrets sign at most, so the one from before a rotation that is under way
 * ends at once. The project is not started for it, since that would itself begin the day of a rotation that no server
 * has seen yet.
 *
 * @param by A hook's name, or an app's client id.
 */
export async function warnOfRotation(
  invocation: Invocation,
  by: { readonly hook: string } | { readonly client_id: string },
): Promise<string[]> {
  const [column, value] = 'hook' in by ? ['hook', by.hook] : ['client_id', by.client_id];
  const since = toSeconds(systemClock.now()) - DAY;
  try {
    const { rows } = await askDatabase(invocation, ({ kysely }) =>
      sql<ReceiverAddress>`select distinct url, client_id from treadle_receiver
        where ${sql.ref(column)} = ${value} and rotated_at > ${since} order by url`.execute(kysely),
    );
    return toWarning(rows);
  } catch {
    // No table yet, or no database: then nothing was signed, or nobody here can tell.
    return [];
  }
}

function toWarning(rows: readonly ReceiverAddress[]): string[] {
  if (rows.length === 0) return [];
  const names = rows.slice(0, NAMED).map(toReceiverText);
  const more = rows.length > NAMED ? ` and ${rows.length - NAMED} more` : '';
  return [
    'An earlier rotation is less than 24 hours old. The oldest secret ends now. Receivers that have not taken the newer one',
    `reject deliveries: ${names.join(', ')}${more}`,
  ];
}
