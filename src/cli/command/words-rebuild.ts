import { TreadleError } from '../../core/errors.ts';
import { toDidYouMean } from '../../core/text/suggest.ts';
import type { Database } from '../../database/database.ts';
import type { WordTarget } from '../../database/words/word-table.ts';
import { compilePlan } from '../application.ts';
import { withDatabase } from '../database.ts';
import { type CommandSpec, findText, type Invocation, type Outcome } from '../spec.ts';
import { refreshPlanner } from '../statistics.ts';

export const command: CommandSpec = {
  arguments: [{ name: 'schema', description: 'schema to rebuild. Default: all', isOptional: true, of: 'schema' }],
  isWriting: true,
  examples: ['treadle words rebuild', 'treadle words rebuild article'],
  async run(invocation) {
    const done = await work(invocation, findText(invocation.values, 'schema'));
    const rows = (count: number): string => (count === 1 ? '1 row' : `${count} rows`);
    const verb = invocation.isDryRun ? 'Would rebuild' : 'Rebuilt';
    return {
      data: { error: false, isDryRun: invocation.isDryRun, schemas: done },
      lines:
        done.length === 0
          ? ['No schema has a searchable field.']
          : done.map(({ name, count }) => `${verb} the words of ${name}: ${rows(count)}.`),
    } satisfies Outcome;
  },
};

interface RebuildCount {
  readonly name: string;
  readonly count: number;
}

async function work(invocation: Invocation, wanted: string | undefined): Promise<RebuildCount[]> {
  const { getWordTarget } = await import('../../database/words/word-table.ts');
  const { fillWords, refillWords } = await import('../../database/words/fill.ts');
  const { schemas, settings } = (await compilePlan(invocation)).model;
  if (wanted !== undefined && !schemas.has(wanted)) {
    const message = `There is no schema "${wanted.slice(0, 64)}". ${toDidYouMean(wanted, schemas.keys())}`;
    throw new TreadleError('SEARCH_SCHEMA_UNKNOWN', message);
  }
  const meant = [...schemas.values()].filter(({ name }) => wanted === undefined || name === wanted);
  const { url } = settings.database;
  return withDatabase({ root: invocation.root(), url, isMaking: true }, async (database) => {
    const done: RebuildCount[] = [];
    for (const schema of meant) {
      const target = getWordTarget(schema);
      if (target.columns.length === 0) continue;
      if (!invocation.isDryRun) {
        if (!(await refillWords(database, target))) throw behindError(schema.name);
        await fillWords(database, target, Date.now());
        // The rows do not change, but other words find them.
        await database.write(async () => database.touchTables());
      }
      done.push({ name: schema.name, count: await countRows(database, target) });
    }
    if (!invocation.isDryRun) await refreshPlanner(invocation, database);
    return done;
  });
}

const behindError = (schema: string): TreadleError =>
  new TreadleError('DATABASE_BEHIND', `The search index of ${schema} is missing, or is one of other fields.`, {
    hint: 'Build it with treadle migrate.',
  });

async function countRows({ kysely }: Database, { table }: WordTarget): Promise<number> {
  const row = await kysely
    .selectFrom(table)
    .select((select) => select.fn.countAll().as('n'))
    .executeTakeFirst();
  return Number(row?.n ?? 0);
}
