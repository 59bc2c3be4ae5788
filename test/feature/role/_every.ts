import type { Row } from '../../../src/database/row-statement.ts';
import { runCase } from './_cases.ts';
import { compareHistory, KEYS, type Told } from './_history.ts';
import { CHECKS, see } from './_readers.ts';
import type { Person, Random, RoleWorld } from './_world.ts';

type Tables = Readonly<Record<string, readonly Row[]>>;

/** One in this many steps asks for a file of own data, for accounts or for an export. */
const READ_EVERY = 12;

const drawPerson = (random: Random, { people }: RoleWorld): Person | undefined =>
  random.chance(0.15) ? undefined : random.pick(people);

/** The changes of one request that the history recorded after its entry `last`. */
async function listTold({ world }: RoleWorld, last: number, before: Tables, after: Tables): Promise<Told[]> {
  const { kysely } = world.site.app.services.database;
  const entries = await kysely.selectFrom('treadle_history').selectAll().where('history_id', '>', last).execute();
  return entries.flatMap((entry): Told[] => {
    const schema = String(entry.subject);
    const find = (tables: Tables): Row | undefined =>
      tables[schema]?.find((row) => row[KEYS[schema] ?? ''] === Number(entry.row_id));
    const now = find(after);
    const { action } = JSON.parse(String(entry.entry)) as { action: string };
    const isCompared = /^(?:create|update|remove|restore)$/.test(action);
    return now && isCompared ? [{ id: Number(entry.history_id), schema, before: find(before), after: now }] : [];
  });
}

async function readLast({ world }: RoleWorld): Promise<number> {
  const { kysely } = world.site.app.services.database;
  const found = await kysely
    .selectFrom('treadle_history')
    .select('history_id')
    .orderBy('history_id', 'desc')
    .limit(1)
    .execute();
  return Number(found[0]?.history_id ?? 0);
}

/**
 * One step of the oracle: a request, with what hooks and the history tell of it to somebody, or one of the other readers. A text
 * where the site differs from the oracle.
 */
export async function runStep(
  world: RoleWorld,
  random: Random,
  seen: Map<string, number>,
): Promise<string | undefined> {
  const count = (kind: string): void => void seen.set(kind, (seen.get(kind) ?? 0) + 1);
  const person = drawPerson(random, world);
  if (random.below(READ_EVERY) === 0) {
    const [name, check] = random.pick(Object.entries(CHECKS));
    count(`reader ${name}`);
    const difference = await check(await see(world, person));
    return difference && `${name}: ${difference}`;
  }
  const last = await readLast(world);
  const { difference, before, after } = await runCase(world, random, seen);
  if (difference !== undefined || before === after) return difference;
  for (const told of await listTold(world, last, before, after)) {
    count(`history of ${told.schema}`);
    const wrong = await compareHistory(world, told, person);
    if (wrong !== undefined) return `history: ${wrong}`;
  }
  return undefined;
}
