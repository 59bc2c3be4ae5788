import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readCode, TreadleError } from '../../core/errors.ts';
import { toDidYouMean } from '../../core/text/suggest.ts';
import type { SchemaModel } from '../../model/model.ts';
import { IMPORT } from '../../plan/emit/row-feed.ts';
import { type Application, findMode, withApplication } from '../application.ts';
import { createUsageError } from '../failure.ts';
import { BadRows } from '../rows/bad.ts';
import { findFormat } from '../rows/extension.ts';
import { openSource } from '../rows/source.ts';
import { MissingRows } from '../seed/missing.ts';
import { sortByReference } from '../seed/order.ts';
import { type CommandSpec, findText, type Invocation } from '../spec.ts';
import { toFeed } from './import.ts';

/** Where a project's rows to begin with lie; `schema rename` renames its files. */
const FOLDER = 'fixture';
const DATA = /\.(?:ndjson|jsonl|json|csv|tsv)$/i;

export const command: CommandSpec = {
  arguments: [
    {
      name: 'folder',
      description: `folder of the files, <schema>.ndjson, .json or .csv. Default: ${FOLDER}`,
      isOptional: true,
    },
  ],
  isWriting: true,
  examples: ['treadle seed', 'treadle seed fixture/demo --dry-run', 'treadle seed --yes'],
  async run(invocation) {
    const folder = findText(invocation.values, 'folder') ?? FOLDER;
    await refuseProduction(invocation);
    return withApplication(invocation, async (app) => {
      const files = listFiles(invocation, app, folder);
      const told = await seedAll(invocation, app, files);
      const { isDryRun } = invocation;
      return {
        data: { error: false, schemas: told, isDryRun },
        lines: told.map((one) => toLine(one, isDryRun)),
        next: isDryRun ? ['treadle seed'] : ['treadle dev'],
      };
    });
  },
};

/** @throws CLI_USAGE where the database counts as production and `--yes` is missing. */
async function refuseProduction(invocation: Invocation): Promise<void> {
  if (invocation.isForced || invocation.isDryRun) return;
  if ((await findMode(invocation)) !== 'production') return;
  throw createUsageError(
    'This database is served in production, and rows to begin with are mostly samples.',
    'See what would be created: treadle seed --dry-run. To create it: treadle seed --yes.',
  );
}

interface SeedFile {
  readonly schema: SchemaModel;
  /** Path for people, such as `fixture/article.ndjson`. */
  readonly file: string;
}

/** The files of the folder, parents before their children. @throws CLI_USAGE for one that names no schema. */
function listFiles(invocation: Invocation, app: Application, folder: string): SeedFile[] {
  const root = folder === FOLDER ? invocation.root() : invocation.cwd;
  const { schemas } = app.plan.model;
  const files = new Map<string, string>();
  for (const name of readNames(join(root, folder), folder)) {
    const schema = name.replace(DATA, '');
    if (!schemas.has(schema)) {
      const hint = `Name the file after its schema. ${toDidYouMean(schema, schemas.keys())}`;
      throw createUsageError(`${folder}/${name}: there is no schema "${schema}".`, hint);
    }
    const other = files.get(schema);
    if (other !== undefined) {
      throw createUsageError(`${folder}/${other} and ${folder}/${name} are of one schema.`, 'Keep one of them.');
    }
    files.set(schema, name);
  }
  return sortByReference(app.plan.model, files.keys()).flatMap((name) => {
    const schema = schemas.get(name);
    return schema === undefined ? [] : [{ schema, file: join(root, folder, files.get(name) ?? '') }];
  });
}

/** @throws CLI_USAGE if the folder is missing or holds no rows. */
function readNames(path: string, folder: string): string[] {
  const hint = `Write rows into ${folder}/<schema>.ndjson, or export them: treadle export article --out ${folder}/article.ndjson`;
  try {
    const names = readdirSync(path).filter((name) => DATA.test(name) && !name.startsWith('.'));
    if (names.length > 0) return names.sort();
    throw createUsageError(`${folder} has no file with rows.`, hint);
  } catch (error) {
    const code = readCode(error);
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error;
    throw createUsageError(`There is no folder ${folder}.`, hint);
  }
}

interface SeedReport {
  readonly schema: string;
  readonly created: number;
  /** Rows of the file that the table has. */
  readonly known: number;
  /** Rows without id and unique value, left out because the table has rows. */
  readonly left: number;
}

class RollbackError extends Error {}

/** All files in one transaction: all or none. */
async function seedAll(invocation: Invocation, app: Application, files: readonly SeedFile[]): Promise<SeedReport[]> {
  const told: SeedReport[] = [];
  try {
    await app.services.database.restructure(async () => {
      for (const file of files) told.push(await seedFile(invocation, app, file));
      if (invocation.isDryRun) throw new RollbackError();
    });
  } catch (error) {
    if (!(error instanceof RollbackError)) throw error;
  }
  return told;
}

async function seedFile(invocation: Invocation, app: Application, { schema, file }: SeedFile): Promise<SeedReport> {
  const bad = new BadRows(invocation.terminal.isJson, undefined);
  const missing = new MissingRows(app.services.database, schema);
  const source = await openSource(invocation, file);
  const { feed, end } = toFeed(invocation, { schema, source, format: findFormat(file) }, bad, (batch) =>
    missing.keep(batch),
  );
  try {
    const response = await app.emit(IMPORT, { schema: schema.name, rows: feed });
    if (response.isError()) {
      if (!invocation.terminal.isJson) bad.tell(invocation.terminal, 'line');
      const message =
        bad.count === 0
          ? (response.getMessage() ?? 'The import failed.')
          : `${schema.name}: ${bad.count} invalid row${bad.count === 1 ? '' : 's'}.`;
      throw new TreadleError('IMPORT_FAILED', `Nothing was created. ${message}`, { status: 422, detail: bad.all });
    }
    const created = Number(response.getResults('new') ?? 0);
    return { schema: schema.name, created, known: missing.known, left: missing.untold };
  } finally {
    end();
    await bad.close();
  }
}

function toLine({ schema, created, known, left }: SeedReport, isDryRun: boolean): string {
  const parts = [
    ...(known > 0 ? [`${known} there already`] : []),
    ...(left > 0 ? [`${left} left out: the table has rows, and these have neither an id nor a unique value`] : []),
  ];
  return `${schema}: ${isDryRun ? 'would create' : 'created'} ${created}${parts.length === 0 ? '' : `, ${parts.join(', ')}`}`;
}
