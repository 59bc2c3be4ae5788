import type { Kysely } from 'kysely';
import { readMessage, TreadleError } from '../core/errors.ts';
import type { Database, SystemTable } from './database.ts';
import { readStructure } from './read-structure.ts';
import type { Row } from './row-statement.ts';

/** What a migration step of the project's own gets. */
export interface OwnStepRun {
  /** Reads and writes the tables, inside the transaction of the step. */
  readonly db: Kysely<Record<string, Row>>;
  /** `sqlite` or `postgres`. */
  readonly dialect: Database['dialect'];
}

/** A step of `config/migration/`, in the order of its number. */
export interface OwnStep {
  /** `<number>-<name>`: the file without its ending. */
  readonly name: string;
  readonly number: number;
  readonly file: string;
  /** Of the file's text. */
  readonly checksum: string;
  readonly up: (run: OwnStepRun) => unknown;
  /** Undefined for a step that cannot be undone. */
  readonly down: ((run: OwnStepRun) => unknown) | undefined;
}

const TABLE = 'treadle_own_step';

export const ownStepTable: SystemTable = {
  name: TABLE,
  columns: [
    { name: 'step', type: 'key' },
    { name: 'applied_at', type: 'integer', isRequired: true },
    // Of the file as it ran; null if a release ran it that did not note it.
    { name: 'checksum', type: 'text' },
  ],
};

interface AppliedStep {
  readonly name: string;
  /** Unix seconds. */
  readonly at: number;
}

/** The steps that ran, the last one first. */
export async function listApplied(database: Database): Promise<readonly AppliedStep[]> {
  const { tables } = await readStructure(database);
  if (!tables.has(TABLE)) return [];
  const rows = await database.kysely.selectFrom(TABLE).select(['step', 'applied_at']).execute();
  const applied = rows.map((row) => ({ name: String(row.step), at: Number(row.applied_at) }));
  // Several may have run in one second.
  return applied.sort((a, b) => b.at - a.at || Number.parseInt(b.name, 10) - Number.parseInt(a.name, 10));
}

export async function findPending(database: Database, steps: readonly OwnStep[]): Promise<readonly OwnStep[]> {
  if (steps.length === 0) return [];
  const applied = new Set((await listApplied(database)).map(({ name }) => name));
  return steps.filter(({ name }) => !applied.has(name));
}

/** The steps whose file changed after they ran: what changed does not run. */
export async function findEdited(database: Database, steps: readonly OwnStep[]): Promise<readonly OwnStep[]> {
  if (steps.length === 0) return [];
  const there = (await readStructure(database)).tables.get(TABLE);
  if (there?.columns.has('checksum') !== true) return [];
  const rows = await database.kysely.selectFrom(TABLE).select(['step', 'checksum']).execute();
  const ran = new Map(rows.map((row) => [String(row.step), row.checksum]));
  return steps.filter(({ name, checksum }) => typeof ran.get(name) === 'string' && ran.get(name) !== checksum);
}

/** The problem of a step that changed after it ran. */
export const describeEdited = ({ file }: OwnStep): string =>
  `${file} has run already, so what changed in it since does not run. Write a further step.`;

async function runStep(step: OwnStep, way: 'up' | 'down', database: Database): Promise<void> {
  try {
    await step[way]?.({ db: database.kysely, dialect: database.dialect });
  } catch (cause) {
    const reason = readMessage(cause);
    throw new TreadleError('MIGRATION_OWN_STEP', `${step.file} (${way}) failed: ${reason.replace(/\.$/, '')}.`, {
      hint: 'Nothing of it was kept. Correct the file and run treadle migrate again.',
      cause,
    });
  }
}

/** Another process may have run it meanwhile: one migrates at a time. */
const LOCK = 'migration';

/** Runs a step once, in a transaction of its own. @throws MIGRATION_OWN_STEP */
export function applyOwnStep(database: Database, step: OwnStep, now: number): Promise<void> {
  const apply = async (): Promise<void> => {
    const there = database.kysely.selectFrom(TABLE).select('step').where('step', '=', step.name);
    if ((await there.executeTakeFirst()) !== undefined) return;
    await runStep(step, 'up', database);
    await database.kysely
      .insertInto(TABLE)
      .values({ step: step.name, applied_at: now, checksum: step.checksum })
      .execute();
  };
  return database.restructure(apply, false, LOCK);
}

/** Undoes a step and forgets that it ran. @throws MIGRATION_OWN_STEP; MIGRATION_OWN_FOREVER if it has no `down` */
export function undoOwnStep(database: Database, step: OwnStep): Promise<void> {
  if (step.down === undefined) {
    throw new TreadleError('MIGRATION_OWN_FOREVER', `${step.file} has no "down", so it cannot be undone.`, {
      hint: 'Export a function "down" that restores what "up" changed, or write a further step.',
    });
  }
  return database.restructure(
    async () => {
      await runStep(step, 'down', database);
      await database.kysely.deleteFrom(TABLE).where('step', '=', step.name).execute();
    },
    false,
    LOCK,
  );
}
