import { fromStamp, systemRandom, toStamp } from '../../core/clock.ts';
import { TreadleError } from '../../core/errors.ts';
import type { Messages } from '../../core/request/response.ts';
import { fieldKinds } from '../../model/field/field-kind.ts';
import type { SchemaModel } from '../../model/model.ts';
import { type FedRow, IMPORT, RowFeed } from '../../plan/emit/row-feed.ts';
import { type Application, withApplication } from '../application.ts';
import { createUsageError } from '../failure.ts';
import { FakeRows, listFakeKeys } from '../fake/row.ts';
import { createProgress } from '../progress.ts';
import { BadRows } from '../rows/bad.ts';
import { type CommandSpec, findText, getText, type Invocation, type Outcome } from '../spec.ts';
import { getSchema } from './import.ts';

const MOST = 10_000_000;
const BATCH = 1000;
/** Maximum number of ids of a schema to choose keys from. */
const KNOWN_IDS = 10_000;
/** Number of rows to create in an empty schema that others need. */
const PARENTS = 10;
const SAMPLE = 3;

export const command: CommandSpec = {
  arguments: [
    { name: 'schema', description: 'name of the schema' },
    { name: 'n', description: 'number of rows' },
  ],
  options: [
    { name: 'seed', value: 'text', description: 'the same seed gives the same rows', default: '1' },
    { name: 'date', value: 'day', description: 'times are near this day, YYYY-MM-DD. Default: today' },
  ],
  isWriting: true,
  examples: ['treadle fake article 1000', 'treadle fake article 5 --seed spring --dry-run'],
  async run(invocation) {
    const { values } = invocation;
    const count = readCount(getText(values, 'n'));
    const base = readDay(findText(values, 'date'));
    const seed = findText(values, 'seed') ?? '1';
    return withApplication(invocation, async (app) => {
      const schema = getSchema(app, getText(values, 'schema'));
      const task = { invocation, app, base, seed };
      if (invocation.isDryRun) return previewRows(task, schema, count);
      const made = await makeNeeded(task, schema, count, []);
      const rows = await makeRows(task, schema, count);
      const { name } = schema;
      return {
        data: { schema: name, rows, seed, date: toStamp(base).slice(0, 10), also: Object.fromEntries(made) },
        lines: [
          ...made.map(
            ([other, number]) => `created ${number} ${other} row${number === 1 ? '' : 's'}, which ${name} needs`,
          ),
          `created ${rows} ${name} row${rows === 1 ? '' : 's'}`,
        ],
        next: [`treadle export ${name}`, 'treadle dev'],
      };
    });
  },
};

function readCount(text: string): number {
  const count = /^\d{1,8}$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= MOST) return count;
  throw createUsageError(`"${text}" is not a number of rows.`, `A whole number from 1 to ${MOST}, such as 100.`);
}

function readDay(text: string | undefined): number {
  const day = text ?? toStamp(Date.now()).slice(0, 10);
  const time = fromStamp(`${day} 00:00:00`);
  if (/^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(time)) return time;
  throw createUsageError(`--date "${day}" is not a day.`, 'Write a day such as 2026-01-31.');
}

interface Task {
  readonly invocation: Invocation;
  readonly app: Application;
  readonly base: number;
  readonly seed: string;
}

/** Ids of the rows that a schema's keys and lists may refer to, oldest first. */
async function readIds({ app }: Task, schema: SchemaModel): Promise<Map<string, readonly number[]>> {
  const { kysely } = app.services.database;
  const targets = [
    ...listFakeKeys(schema).map(({ target }) => target),
    ...schema.relations.map(({ target }) => target),
  ];
  const ids = new Map<string, readonly number[]>();
  for (const name of new Set(targets)) {
    const target = app.plan.model.schemas.get(name);
    if (!target) continue;
    const all = kysely.selectFrom(target.table).select(target.primary).orderBy(target.primary).limit(KNOWN_IDS);
    const rows = await (target.active === undefined ? all : all.where(target.active, '=', 1)).execute();
    ids.set(
      name,
      rows.map((row) => Number(row[target.primary])),
    );
  }
  return ids;
}

/** Creates rows of the schemas that this one requires, if they are empty. */
async function makeNeeded(
  task: Task,
  schema: SchemaModel,
  count: number,
  above: readonly string[],
): Promise<[string, number][]> {
  const made: [string, number][] = [];
  const ids = await readIds(task, schema);
  for (const { target, isNullable } of listFakeKeys(schema)) {
    const needed = task.app.plan.model.schemas.get(target);
    const isThere = (ids.get(target)?.length ?? 0) > 0 || made.some(([name]) => name === target);
    if (isNullable || !needed || isThere || above.includes(target)) continue;
    const number = Math.min(PARENTS, count);
    made.push(...(await makeNeeded(task, needed, number, [...above, schema.name])));
    made.push([target, await makeRows(task, needed, number)]);
  }
  return made;
}

async function createRows({ app, base, seed }: Task, schema: SchemaModel, ids: ReadonlyMap<string, readonly number[]>) {
  const hasPassword = schema.columns.some(({ field }) => fieldKinds[field.type].isSecret);
  // One hash for all, of a random password: a known password would let anybody log in.
  const passwordHash = hasPassword ? await app.services.passwords.hash(systemRandom(24).toString('base64')) : undefined;
  return new FakeRows({ model: app.plan.model, schema, seed, base, now: Date.now(), ids, passwordHash });
}

/** The number of the first row, so that unique values of earlier rows are not repeated. */
async function readNext({ app }: Task, { table, primary }: SchemaModel): Promise<number> {
  const { kysely } = app.services.database;
  const last = await kysely.selectFrom(table).select(primary).orderBy(primary, 'desc').limit(1).executeTakeFirst();
  return Number(last?.[primary] ?? 0) + 1;
}

/** What most likely leaves no room for more rows. */
function toHint({ exclude }: SchemaModel): string {
  const unique = 'A unique field allows no more rows than it has possible values.';
  if (exclude.length === 0) return unique;
  return `${unique} Where periods may not overlap, a row without an end leaves no time after its start.`;
}

async function makeRows(task: Task, schema: SchemaModel, count: number): Promise<number> {
  const { app, invocation } = task;
  const rows = await createRows(task, schema, await readIds(task, schema));
  const first = await readNext(task, schema);
  const progress = createProgress(invocation.terminal, `Making ${schema.name}`, count);
  const bad = new BadRows(false, undefined);
  async function* batches(): AsyncGenerator<FedRow[]> {
    for (let done = 0; done < count; done += BATCH) {
      const size = Math.min(BATCH, count - done);
      yield Array.from({ length: size }, (_, at) => ({ line: done + at + 1, values: rows.make(first + done + at) }));
      progress.advance(size);
      progress.count(size);
    }
  }
  const refuse = (row: FedRow, messages: Readonly<Messages>): void => bad.add(row, messages);
  try {
    const feed = new RowFeed({ batches: batches(), refuse, isOwn: true, isNew: true });
    const response = await app.emit(IMPORT, { schema: schema.name, rows: feed });
    progress.end();
    if (!response.isError()) return Number(response.getResults('new'));
    bad.tell(invocation.terminal, 'row');
    throw new TreadleError(
      'FAKE_FAILED',
      `No ${schema.name} row was created: ${response.getMessage() ?? 'it failed'}`,
      {
        status: 422,
        hint: toHint(schema),
      },
    );
  } finally {
    progress.end();
  }
}

/** Example rows, without writing them. */
async function previewRows(task: Task, schema: SchemaModel, count: number): Promise<Outcome> {
  const rows = await createRows(task, schema, await readIds(task, schema));
  const first = await readNext(task, schema);
  const secret = new Set(schema.columns.filter(({ field }) => fieldKinds[field.type].isSecret).map(({ name }) => name));
  const sample = Array.from({ length: Math.min(SAMPLE, count) }, (_, at) =>
    Object.fromEntries(Object.entries(rows.make(first + at)).filter(([name]) => !secret.has(name))),
  );
  return {
    data: { schema: schema.name, rows: count, sample, isDryRun: true },
    lines: [...sample.map((row) => JSON.stringify(row, null, 2)), `would create ${count} rows like these`],
  };
}
