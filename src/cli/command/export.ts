import { resolve } from 'node:path';
import { findWriteTarget, isStandardOutput } from '../../core/file/write-target.ts';
import { toDidYouMean } from '../../core/text/suggest.ts';
import type { SchemaModel } from '../../model/model.ts';
import { findColumn, listExported } from '../../rows/column.ts';
import { listLists } from '../../rows/link-ids.ts';
import { FORMATS, type Format } from '../../rows/read.ts';
import { joinLines, printRows } from '../../rows/write.ts';
import { SearchError } from '../../store/read/answer.ts';
import { type Application, withApplication } from '../application.ts';
import { createUsageError } from '../failure.ts';
import { createProgress, type Progress } from '../progress.ts';
import { findFormat } from '../rows/extension.ts';
import { writeFileWhole } from '../rows/output.ts';
import { buildSearchStage, countRows, type PageInput, type RowQuery, readPages } from '../rows/pages.ts';
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
import { getSchema } from './import.ts';

type Row = Readonly<Record<string, unknown>>;

export const command: CommandSpec = {
  arguments: [{ name: 'schema', description: 'name of the schema' }],
  options: [
    { name: 'out', value: 'file', description: 'file to write. Default: standard output' },
    {
      name: 'format',
      value: 'format',
      description: 'file format. Default: by the file extension, or ndjson',
      choices: FORMATS,
    },
    {
      name: 'filter',
      value: 'column=value',
      description: 'only matching rows; column[op]=value uses a search operator',
      isRepeated: true,
    },
    { name: 'q', value: 'words', description: 'only rows with these words in their searchable fields' },
    { name: 'sort', value: 'columns', description: 'order, as -column,column. Default: the primary key, oldest first' },
    { name: 'fields', value: 'columns', description: 'only these columns, separated by commas', isRepeated: true },
    { name: 'removed', description: 'includes removed rows' },
    {
      name: 'raw',
      description: 'writes CSV cells unchanged, including those that a spreadsheet would run as a formula',
    },
  ],
  isWriting: true,
  examples: [
    'treadle export article --out articles.csv',
    'treadle export article --filter category=web --sort -published --fields title,published > web.ndjson',
  ],
  async run(invocation) {
    const { values, cwd, isDryRun } = invocation;
    const out = findText(values, 'out');
    const format = findChoice(values, 'format', FORMATS) ?? (out ? findFormat(out) : undefined) ?? 'ndjson';
    return withApplication(invocation, async (app) => {
      const schema = getSchema(app, getText(values, 'schema'));
      const input = toInput(invocation, app, schema);
      try {
        if (isDryRun) return await previewExport(input, out);
        return await exportRows(invocation, { input, format, out, file: await findFile(cwd, out) });
      } catch (error) {
        if (!(error instanceof SearchError)) throw error;
        throw createUsageError(Object.values(error.validation).join('\n'));
      }
    });
  },
};

/** The absolute path; undefined for standard output, by name or by default. */
async function findFile(cwd: string, out: string | undefined): Promise<string | undefined> {
  if (out === undefined) return undefined;
  const file = resolve(cwd, out);
  return isStandardOutput(await findWriteTarget(file)) ? undefined : file;
}

function toInput({ values }: Invocation, app: Application, schema: SchemaModel): PageInput {
  const wanted: RowQuery = {
    filters: getList(values, 'filter'),
    q: findText(values, 'q'),
    sort: findText(values, 'sort'),
    fields: getList(values, 'fields', true).map((name) => name.trim()),
    hasRemoved: isOn(values, 'removed'),
  };
  const lists = listLists(schema);
  const named = wanted.fields.map((name) => findColumn(schema, name) ?? name);
  const exported = listExported(schema);
  const known = new Set([...exported, ...lists.map(({ key }) => key)]);
  const unknown = named.find((name) => !known.has(name));
  if (unknown !== undefined) {
    throw createUsageError(
      `--fields: ${schema.name} has no column "${unknown}" to export.`,
      toDidYouMean(unknown, [...known, ...schema.byName.keys()]),
    );
  }
  return {
    model: app.plan.model,
    database: app.services.database,
    schema,
    search: buildSearchStage(schema, wanted),
    columns: named.length === 0 ? exported : exported.filter((name) => named.includes(name)),
    lists: named.length === 0 ? lists : lists.filter(({ key }) => named.includes(key)),
    hasRemoved: wanted.hasRemoved,
  };
}

async function previewExport(input: PageInput, out: string | undefined): Promise<Outcome> {
  const rows = await countRows(input);
  const { name } = input.schema;
  const where = out ?? 'standard output';
  return {
    data: { schema: name, rows, file: out ?? null, columns: toNames(input), isDryRun: true },
    lines: [`would write ${rows} ${name} row${rows === 1 ? '' : 's'} to ${where}`],
  };
}

const toNames = ({ columns, lists }: PageInput): string[] => [...columns, ...lists.map(({ key }) => key)];

interface Task {
  readonly input: PageInput;
  readonly format: Format;
  /** As typed, and as an absolute path. */
  readonly out: string | undefined;
  readonly file: string | undefined;
}

async function exportRows(invocation: Invocation, { input, format, out, file }: Task): Promise<Outcome> {
  const { terminal, values } = invocation;
  const { schema } = input;
  const isShown = file !== undefined && terminal.isTerminal;
  const progress = createProgress(terminal, `Exporting ${schema.name}`, isShown ? await countRows(input) : undefined);
  const counted = { rows: 0 };
  const pages = countPages(readPages(input), progress, counted);
  const lines = printRows(pages, { schema, columns: toNames(input), format, isRaw: isOn(values, 'raw') });
  try {
    if (file === undefined && terminal.isJson) return { data: await collect(pages, toNames(input)) };
    if (file === undefined) {
      for await (const part of joinLines(lines)) await terminal.pour(part);
      return { data: undefined };
    }
    await writeFileWhole(file, lines);
  } finally {
    progress.end();
  }
  const rows = `${counted.rows} ${schema.name} row${counted.rows === 1 ? '' : 's'}`;
  return {
    data: { schema: schema.name, file, format, rows: counted.rows },
    lines: [`wrote ${rows} to ${out}`],
    next: [`treadle import ${schema.name} ${out}`],
  };
}

async function* countPages(
  pages: AsyncIterable<readonly Row[]>,
  progress: Progress,
  counted: { rows: number },
): AsyncGenerator<readonly Row[]> {
  for await (const page of pages) {
    yield page;
    counted.rows += page.length;
    progress.advance(page.length);
    progress.count(page.length);
  }
}

/** For `--json`, which prints the list of all rows. */
async function collect(pages: AsyncIterable<readonly Row[]>, names: readonly string[]): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const page of pages) {
    for (const row of page) rows.push(Object.fromEntries(names.map((name) => [name, row[name]])));
  }
  return rows;
}
