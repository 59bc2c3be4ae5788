import { resolve } from 'node:path';
import { TreadleError } from '../../core/errors.ts';
import { toObject } from '../../core/record.ts';
import type { Messages, Response } from '../../core/request/response.ts';
import { toDidYouMean } from '../../core/text/suggest.ts';
import type { SchemaModel } from '../../model/model.ts';
import { type FedRow, IMPORT, RowFeed } from '../../plan/emit/row-feed.ts';
import { splitRows } from '../../rows/batch.ts';
import { listExactKeys, listJsonKeys } from '../../rows/column.ts';
import { FORMATS, type Format, readRows } from '../../rows/read.ts';
import { readText } from '../../rows/text.ts';
import { type Application, withApplication } from '../application.ts';
import { createUsageError, EXIT } from '../failure.ts';
import { createProgress } from '../progress.ts';
import { BadRows } from '../rows/bad.ts';
import { checkHeading, parseColumnMap } from '../rows/column.ts';
import { findFormat } from '../rows/extension.ts';
import { type FileSource, openSource } from '../rows/source.ts';
import {
  type CommandSpec,
  findChoice,
  findText,
  getList,
  getText,
  type Invocation,
  isOn,
  type Outcome,
} from '../spec.ts';

export const command: CommandSpec = {
  arguments: [
    { name: 'schema', description: 'name of the schema' },
    { name: 'file', description: 'file to read: NDJSON, JSON or CSV; - is standard input' },
  ],
  options: [
    {
      name: 'map',
      value: 'key=column',
      description: 'maps a key of the file to a column or a field name',
      isRepeated: true,
    },
    { name: 'format', value: 'format', description: 'file format. Default: by the file extension', choices: FORMATS },
    { name: 'ignore-unknown', description: 'ignores keys that are not columns' },
    { name: 'skip-bad', description: 'imports the valid rows; without it, one invalid row stops the import' },
    {
      name: 'bad',
      value: 'file',
      description: 'writes the invalid rows to this file, as NDJSON with line, messages and row',
    },
  ],
  isWriting: true,
  examples: [
    'treadle import article fixture/article.ndjson',
    'treadle import article posts.csv --map headline=title --map body=detail --ignore-unknown',
    'gunzip -c posts.csv.gz | treadle import article - --format csv --skip-bad --bad bad.ndjson',
  ],
  async run(invocation) {
    const { values } = invocation;
    const file = getText(values, 'file');
    const source = await openSource(invocation, file);
    const named = findChoice(values, 'format', FORMATS) ?? findFormat(file);
    return withApplication(invocation, async (app) => {
      const schema = getSchema(app, getText(values, 'schema'));
      return importFile(invocation, app, { schema, source, format: named });
    });
  },
};

export function getSchema(app: Application, name: string): SchemaModel {
  const { schemas } = app.plan.model;
  const found = schemas.get(name);
  if (found) return found;
  throw createUsageError(`There is no schema "${name}".`, toDidYouMean(name, schemas.keys()));
}

interface Task {
  readonly schema: SchemaModel;
  readonly source: FileSource;
  readonly format: Format | undefined;
}

/**
 * The steps that a file's rows pass before the event.
 * @param keep The rows of a batch that are imported. Default: all.
 */
export function toFeed(
  invocation: Invocation,
  { schema, source, format }: Task,
  bad: BadRows,
  keep?: (batch: readonly FedRow[]) => Promise<FedRow[]>,
): { readonly feed: RowFeed; readonly end: () => void } {
  const { values, terminal } = invocation;
  const map = parseColumnMap(schema, getList(values, 'map'));
  const ignoresUnknown = isOn(values, 'ignore-unknown');
  const progress = createProgress(terminal, `Importing ${schema.name}`, source.size);
  const found: { isCsv: boolean } = { isCsv: format === 'csv' };
  const rows = readRows(
    readText(source.bytes, (bytes) => progress.advance(bytes)),
    {
      format,
      exact: listExactKeys(schema, map),
      checkHeading: (names) => {
        found.isCsv = true;
        checkHeading(schema, names, { map, ignoresUnknown });
      },
    },
  );
  async function* batches(): AsyncGenerator<FedRow[]> {
    const listJson = () => (found.isCsv ? listJsonKeys(schema) : []);
    for await (const batch of splitRows(rows, { map, listJson })) {
      yield keep === undefined ? batch : await keep(batch);
      progress.count(batch.length);
      await bad.drain();
    }
  }
  const refuse = (row: FedRow, messages: Readonly<Messages>): void => bad.add(row, messages);
  const feed = new RowFeed({ batches: batches(), refuse, skipsBad: isOn(values, 'skip-bad'), isOwn: true });
  return { feed, end: progress.end };
}

/** Imports all rows with one event in one transaction: all or none, even if the process is killed. */
async function importFile(invocation: Invocation, app: Application, task: Task): Promise<Outcome> {
  const { values, isDryRun, terminal, cwd } = invocation;
  const file = findText(values, 'bad');
  const bad = new BadRows(terminal.isJson, file === undefined ? undefined : resolve(cwd, file));
  const { feed, end } = toFeed(invocation, task, bad);
  try {
    const response = await app.emit(IMPORT, {
      schema: task.schema.name,
      rows: feed,
      dry_run: isDryRun,
      ignore_unknown: isOn(values, 'ignore-unknown'),
    });
    if (response.isError() && bad.count === 0) {
      throw new TreadleError('IMPORT_FAILED', response.getMessage() ?? 'The import failed.', { status: 422 });
    }
    end();
    return toOutcome(invocation, task, response, bad);
  } finally {
    end();
    await bad.close();
  }
}

function toOutcome(invocation: Invocation, { schema, format }: Task, response: Response, bad: BadRows): Outcome {
  const { terminal, isDryRun, values } = invocation;
  const isStopped = response.isError();
  const [created, changed] = [Number(response.getResults('new') ?? 0), Number(response.getResults('old') ?? 0)];
  if (!terminal.isJson) bad.tell(terminal, format === 'json' ? 'entry' : 'line');
  const { name } = schema;
  const total = created + changed;
  const rows = `${total} ${name} row${total === 1 ? '' : 's'}`;
  const parts = changed === 0 ? '' : ` (${created} new, ${changed} changed)`;
  const refusal = isStopped
    ? `${isDryRun ? 'Nothing would be imported' : 'Nothing was imported'}: ${bad.count} invalid row${bad.count === 1 ? '' : 's'}. --skip-bad imports the valid ones.`
    : undefined;
  const left = bad.count === 0 ? '' : `, left out ${bad.count}`;
  const cleaned = toObject(response.getResults('cleaned'));
  const counts = { imported: isDryRun ? 0 : total, created, changed, refused: bad.count };
  const file = findText(values, 'bad');
  return {
    data: { error: isStopped, schema: name, ...counts, cleaned, bad: bad.all, isDryRun },
    lines: [
      refusal ?? `${isDryRun ? 'would import' : 'imported'} ${rows}${parts}${left}`,
      ...Object.entries(cleaned).map(
        ([column, count]) =>
          `${column}: ${count} text${count === 1 ? '' : 's'} without tags or attributes that formatted text may not have`,
      ),
      ...(file === undefined || bad.count === 0 ? [] : [`invalid rows: ${file}`]),
    ],
    next: isDryRun || isStopped ? [] : [`treadle export ${name}`, 'treadle dev'],
    exitCode: isStopped ? EXIT.failed : EXIT.done,
  };
}
