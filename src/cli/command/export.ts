import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { finished } from 'node:stream/promises';
import { toDidYouMean } from '../../core/suggest.ts';
import type { SchemaModel } from '../../model/model.ts';
import { type Application, withApplication } from '../application.ts';
import { createUsageError } from '../failure.ts';
import { listColumns } from '../rows/column.ts';
import { toCsvLine } from '../rows/csv.ts';
import { FORMATS, type Format, findFormat } from '../rows/read.ts';
import { type CommandSpec, findText, getText, type Invocation } from '../spec.ts';

/** Rows that are read at a time. */
const PAGE = 500;

type Row = Readonly<Record<string, unknown>>;

export const command: CommandSpec = {
  arguments: [{ name: 'schema', description: 'name of the schema' }],
  options: [
    { name: 'out', value: 'file', description: 'file to write; standard output if left out' },
    { name: 'format', value: 'format', description: "by the file's ending if left out, else ndjson", choices: FORMATS },
  ],
  examples: ['treadle export article --out articles.csv', 'treadle export article > articles.ndjson'],
  async run(invocation) {
    const { values, cwd, terminal } = invocation;
    const name = getText(values, 'schema');
    const out = findText(values, 'out');
    const format =
      (findText(values, 'format') as Format | undefined) ?? (out === undefined ? 'ndjson' : findFormat(out, '{'));
    return withApplication(invocation, async (app) => {
      const schema = app.plan.model.schemas.get(name);
      if (!schema)
        throw createUsageError(`There is no schema "${name}".`, toDidYouMean(name, app.plan.model.schemas.keys()));
      const lines = toLines(readPages(invocation, app, schema), toColumns(schema), format);
      if (out === undefined) {
        const rows: Row[] = [];
        if (terminal.isJson) for await (const row of readPages(invocation, app, schema)) rows.push(row);
        else for await (const line of lines) terminal.print(line);
        return { data: rows };
      }
      const file = resolve(cwd, out);
      const count = await writeLines(file, lines);
      terminal.progress('');
      return { data: { schema: name, file, format }, lines: [`wrote ${file} (${count} lines)`] };
    });
  },
};

/** Columns that leave the database: passwords don't. */
function toColumns(schema: SchemaModel): string[] {
  const secret = new Set(schema.columns.filter(({ field }) => field.type === 'password').map(({ name }) => name));
  return listColumns(schema).filter((column) => !secret.has(column));
}

/** All rows, oldest first, removed ones too, a page at a time. */
async function* readPages({ terminal }: Invocation, app: Application, schema: SchemaModel): AsyncGenerator<Row> {
  const { kysely } = app.services.database;
  const columns = toColumns(schema);
  let last: unknown;
  let count = 0;
  for (;;) {
    const query = kysely.selectFrom(schema.table).select(columns).orderBy(schema.primary).limit(PAGE);
    const rows = (await (last === undefined ? query : query.where(schema.primary, '>', last)).execute()) as Row[];
    for (const row of rows) yield toReadable(schema, row);
    count += rows.length;
    terminal.progress(`${count} rows …`);
    if (rows.length < PAGE) return;
    last = rows.at(-1)?.[schema.primary];
  }
}

const JSON_START = /^[[{]/;

/** Lists and objects are stored as JSON text; outside they are what they are. */
function toReadable(schema: SchemaModel, row: Row): Row {
  const json = new Set(schema.columns.filter(({ field }) => !PLAIN.has(field.type)).map(({ name }) => name));
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => {
      if (!json.has(column) || typeof value !== 'string' || !JSON_START.test(value)) return [column, value];
      return [column, parse(value)];
    }),
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Types whose text may begin with a bracket and is a text all the same. */
const PLAIN: ReadonlySet<string> = new Set(
  'text email password search url mask slug color textarea wysiwyg markdown code select countrylist radios file image uuid ipaddress'.split(
    ' ',
  ),
);

async function* toLines(rows: AsyncIterable<Row>, columns: readonly string[], format: Format): AsyncGenerator<string> {
  if (format === 'csv') yield toCsvLine(columns);
  if (format === 'json') yield '[';
  let held: string | undefined;
  for await (const row of rows) {
    if (format === 'csv') yield toCsvLine(columns.map((column) => row[column]));
    else if (format === 'ndjson') yield JSON.stringify(row);
    else {
      if (held !== undefined) yield `${held},`;
      held = `  ${JSON.stringify(row)}`;
    }
  }
  if (held !== undefined) yield held;
  if (format === 'json') yield ']';
}

async function writeLines(file: string, lines: AsyncIterable<string>): Promise<number> {
  await mkdir(dirname(file), { recursive: true });
  const stream = createWriteStream(file);
  let count = 0;
  for await (const line of lines) {
    count += 1;
    if (!stream.write(`${line}\n`)) await once(stream, 'drain');
  }
  stream.end();
  await finished(stream);
  return count;
}
