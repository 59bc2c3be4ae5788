import { isDeepStrictEqual } from 'node:util';
import type { Row } from '../../../src/database/row-statement.ts';
import { HOOK_FIELDS, HOOKED, PRIVATE, type RoleWorld } from './_world.ts';

/** A request, and what the tables held before and after it. */
interface Done {
  readonly schema: string;
  readonly action: string;
  readonly id: number;
  readonly isDone: boolean;
  readonly before: Readonly<Record<string, readonly Row[]>>;
  readonly after: Readonly<Record<string, readonly Row[]>>;
}

/** The number of the last event that a hook recorded. */
export async function readLastEvent({ world }: RoleWorld): Promise<number> {
  const { kysely } = world.site.app.services.database;
  const found = await kysely
    .selectFrom('treadle_event')
    .select('sequence')
    .orderBy('sequence', 'desc')
    .limit(1)
    .execute();
  return Number(found[0]?.sequence ?? 0);
}

const readSince = async ({ world }: RoleWorld, last: number): Promise<Row[]> =>
  (await world.site.app.services.database.kysely
    .selectFrom('treadle_event')
    .selectAll()
    .where('sequence', '>', last)
    .orderBy('sequence')
    .execute()) as Row[];

const isTime = (name: string): boolean => /_(?:created|updated|active)$/.test(name);
const isPrivate = (name: string): boolean => PRIVATE.includes(name);

/** The row that was written, with its profile's columns. */
function findWritten({ schema, action, id, after }: Done): Row | undefined {
  const row = action === 'create' ? after[schema]?.at(-1) : after[schema]?.find((each) => each[`${schema}_id`] === id);
  if (schema !== 'note' || row === undefined) return row;
  return { ...after.profile?.find((profile) => profile.profile_id === row.profile_id), ...row };
}

/** What hooks carry of a request: whole rows without what is private, unless they name it; nothing of a refused one. */
export async function checkEvents(world: RoleWorld, last: number, done: Done): Promise<string | undefined> {
  const events = await readSince(world, last);
  const { schema, action, isDone } = done;
  const isHooked = (HOOKED as readonly string[]).includes(action);
  if (!isDone && events.length > 0) return `a refused write fired ${events.map(({ hook }) => hook)}`;
  for (const { hook, data } of events)
    if (!String(hook).endsWith('-naming') && PRIVATE.some((name) => String(data).includes(name)))
      return `hook ${hook} carries what is private: ${data}`;
  const was = done.before[schema]?.find((each) => each[`${schema}_id`] === done.id) ?? {};
  // A row that is there is not restored.
  const isIdle = action === 'restore' && was[`${schema}_active`] === 1;
  if (isIdle && events.length > 0) return `restoring what is there fired ${events.map(({ hook }) => hook)}`;
  if (!isDone || !isHooked || isIdle) return undefined;
  const row = findWritten(done);
  const find = (kind: string): Row | undefined => {
    const found = events.filter(({ hook }) => hook === `${schema}-${action}-${kind}`);
    return found.length === 1 ? (JSON.parse(String(found[0]?.data)) as Row) : undefined;
  };
  const [whole, naming] = [find('whole'), find('naming')];
  if (row === undefined || whole === undefined || naming === undefined)
    return `${events.length} events (${events.map(({ hook }) => hook)}) of ${action} ${schema}`;
  const differs = Object.entries(row).find(
    ([name, value]) => !isTime(name) && !isPrivate(name) && !isDeepStrictEqual(whole[name], value),
  );
  if (differs) return `hook has ${differs[0]} ${JSON.stringify(whole[differs[0]])}, not ${JSON.stringify(differs[1])}`;
  const { original, changed, ...sent } = naming;
  const wanted = Object.fromEntries(HOOK_FIELDS(schema).map((name) => [name, row[name]]));
  if (!isDeepStrictEqual(sent, wanted)) return `hook names ${JSON.stringify(sent)}, not ${JSON.stringify(wanted)}`;
  for (const [name, value] of Object.entries((original ?? {}) as Row))
    if (name in was && !isDeepStrictEqual(was[name], value)) return `original ${name} ${value}, not ${was[name]}`;
  const isForeign = ((changed ?? []) as string[]).some((name) => !HOOK_FIELDS(schema).includes(name));
  return isForeign ? `changed ${changed}` : undefined;
}
