import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { TreadleError } from '../../core/errors.ts';
import { toDidYouMean } from '../../core/suggest.ts';
import type { SchemaModel } from '../../model/model.ts';
import { type Application, withApplication } from '../application.ts';
import { createUsageError, EXIT } from '../failure.ts';
import { parseColumnMap, toNamedRow } from '../rows/column.ts';
import { type BadRow, FORMATS, type Format, findFormat, readRows } from '../rows/read.ts';
import { type CommandSpec, findText, getList, getText, type Invocation, isOn, type Outcome } from '../spec.ts';
import type { Terminal } from '../terminal.ts';

/** Faults that are told on a terminal; the rest is counted. */
const SHOWN_BAD = 100;

interface Batch {
  readonly rows: readonly { readonly line: number; readonly values: Readonly<Record<string, unknown>> }[];
  readonly bad: readonly BadRow[];
}

export const command: CommandSpec = {
  arguments: [
    { name: 'schema', description: 'name of the schema' },
    { name: 'file', description: 'file to read: NDJSON, JSON or CSV; - is standard input' },
  ],
  options: [
    {
      name: 'map',
      value: 'key=column',
      description: "what a key of the file is: a column or a field's name",
      isRepeated: true,
    },
    { name: 'format', value: 'format', description: "the file's format; by its ending if left out", choices: FORMATS },
    { name: 'ignore-unknown', description: 'leaves out keys that are no column' },
    { name: 'skip-bad', description: 'takes the good rows; without it one bad row refuses all' },
  ],
  isWriting: true,
  examples: [
    'treadle import article fixture/article.ndjson',
    'treadle import article posts.csv --map headline=title --map body=detail --ignore-unknown',
  ],
  async run(invocation) {
    const { values, terminal } = invocation;
    const file = getText(values, 'file');
    const text = await readInput(invocation, file);
    const format = (findText(values, 'format') as Format | undefined) ?? findFormat(file, text);
    return withApplication(invocation, async (app) => {
      const schema = getSchema(app, getText(values, 'schema'));
      const batch = toBatch(invocation, schema, readRows(text, format), format === 'csv');
      terminal.progress(`Importing ${batch.rows.length} rows …`);
      const outcome = await importBatch(invocation, app, schema, batch);
      terminal.progress('');
      return outcome;
    });
  },
};

async function readInput({ cwd, terminal }: Invocation, file: string): Promise<string> {
  if (file !== '-') {
    return readFile(resolve(cwd, file), 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT' && error.code !== 'EISDIR') throw error;
      throw createUsageError(`There is no file ${file}.`, 'The path is taken from where the command is typed.');
    });
  }
  const chunks: Buffer[] = [];
  for await (const chunk of terminal.input) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}

function getSchema(app: Application, name: string): SchemaModel {
  const { schemas } = app.plan.model;
  const found = schemas.get(name);
  if (found) return found;
  throw createUsageError(`There is no schema "${name}".`, toDidYouMean(name, schemas.keys()));
}

function toBatch(
  { values }: Invocation,
  schema: SchemaModel,
  read: ReturnType<typeof readRows>,
  isCsv: boolean,
): Batch {
  const map = parseColumnMap(schema, getList(values, 'map'));
  const isLenient = isOn(values, 'ignore-unknown');
  const bad: BadRow[] = [...read.bad];
  const rows = read.rows.flatMap((row) => {
    const named = toNamedRow(schema, row.values, { map, isCsv });
    if (named.unknown.length === 0 || isLenient) return [{ line: row.line, values: named.values }];
    bad.push({ line: row.line, message: `${named.unknown.join(' ')} --ignore-unknown leaves it out.` });
    return [];
  });
  return { rows, bad };
}

/**
 * All rows by one event, so all or none; with --skip-bad again without the rows that it refused. Where nothing shall be
 * written, because a row could not be read or by --dry-run, the rows are checked all the same: every bad one is named.
 */
async function importBatch(
  invocation: Invocation,
  app: Application,
  schema: SchemaModel,
  batch: Batch,
): Promise<Outcome> {
  const isSkipping = isOn(invocation.values, 'skip-bad');
  const isStopped = batch.bad.length > 0 && !isSkipping;
  if (batch.rows.length === 0) return toOutcome(invocation, { batch, imported: 0, isStopped });
  const isTrial = isStopped || invocation.isDryRun;
  const response = await app.emit('system-model-import', {
    schema: schema.name,
    rows: batch.rows.map(({ values }) => values),
    dry_run: isTrial,
  });
  if (!response.isError()) {
    return toOutcome(invocation, { batch, imported: isTrial ? 0 : batch.rows.length, isStopped });
  }
  const refused = toRefused(batch, response.getValidation());
  if (refused.size === 0) {
    throw new TreadleError('IMPORT_FAILED', response.getMessage() ?? 'The import failed.', { status: 422 });
  }
  const bad = [
    ...batch.bad,
    ...[...refused].map(([index, message]) => ({ line: batch.rows[index]?.line ?? 0, message })),
  ];
  const rows = batch.rows.filter((_, index) => !refused.has(index));
  const rest: Batch = { rows, bad };
  if (!isSkipping) return toOutcome(invocation, { batch: rest, imported: 0, isStopped: true });
  return importBatch(invocation, app, schema, rest);
}

/** Messages by the row's place in the batch. */
function toRefused(batch: Batch, validation: unknown): Map<number, string> {
  const refused = new Map<number, string>();
  const rows = (validation ?? {}) as Readonly<Record<string, unknown>>;
  for (const [key, messages] of Object.entries('rows' in rows ? (rows.rows as object) : rows)) {
    const index = Number(key);
    if (!Number.isInteger(index) || batch.rows[index] === undefined) continue;
    const texts =
      typeof messages === 'object' && messages !== null
        ? Object.entries(messages).map(([column, message]) => `${column}: ${String(message)}`)
        : [String(messages)];
    refused.set(index, texts.join('; '));
  }
  return refused;
}

/** Line numbers as a person writes them: `2-5, 9`. */
function toRanges(lines: readonly number[]): string {
  const ranges: { from: number; to: number }[] = [];
  for (const line of lines) {
    const last = ranges.at(-1);
    if (last && line === last.to + 1) last.to = line;
    else ranges.push({ from: line, to: line });
  }
  return ranges.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`)).join(', ');
}

/** One message for all the lines that it is true of: a column that is unknown is so in every row. */
function tellBad({ say, red }: Terminal, bad: readonly BadRow[]): void {
  const lines = new Map<string, number[]>();
  for (const { line, message } of bad) {
    const known = lines.get(message);
    if (known) known.push(line);
    else lines.set(message, [line]);
  }
  for (const [message, where] of [...lines].slice(0, SHOWN_BAD)) {
    say(red(`line${where.length === 1 ? '' : 's'} ${toRanges(where)}: ${message}`));
  }
  if (lines.size > SHOWN_BAD) say(`… and ${lines.size - SHOWN_BAD} more faults.`);
}

interface Result {
  readonly batch: Batch;
  readonly imported: number;
  readonly isStopped: boolean;
}

function toOutcome(invocation: Invocation, { batch, imported, isStopped }: Result): Outcome {
  const { terminal, isDryRun, values } = invocation;
  const bad = [...batch.bad].sort((a, b) => a.line - b.line);
  if (!terminal.isJson) tellBad(terminal, bad);
  const name = getText(values, 'schema');
  const rows = (count: number): string => `${count} ${name} row${count === 1 ? '' : 's'}`;
  const nothing = isDryRun ? 'Nothing would be imported.' : 'Nothing was imported.';
  const refusal = isStopped ? `${nothing} --skip-bad takes the good rows.` : undefined;
  const done = isDryRun ? `would import ${rows(batch.rows.length)}` : `imported ${rows(imported)}`;
  return {
    data: { error: isStopped, schema: name, imported, bad, isDryRun },
    lines: [refusal ?? `${done}${bad.length === 0 ? '' : `, left out ${bad.length}`}`],
    next: isDryRun ? [] : [`treadle export ${name}`, 'treadle dev'],
    exitCode: isStopped ? EXIT.failed : EXIT.done,
  };
}
