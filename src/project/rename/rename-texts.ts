import { escapeRegExp } from '../../core/bus/pattern.ts';
import type { NameChange } from '../../model/rename/apply.ts';
import type { Names, Renames } from '../../model/rename/renames.ts';
import { replaceCodeWords, replaceWords } from '../../model/rename/words.ts';
import { renameInTemplate } from './template.ts';
import { isCode, isFixture, isLocale, isTemplate, readTextFiles, type TextFile } from './text-files.ts';

/** The JSON tokens needed to find keys: strings and brackets. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]]/g;

interface FixtureNames {
  readonly columns: Names;
  /** Field names without the schema's prefix; renamed only as a row's own keys. */
  readonly fields: Names;
}

/** Renames the keys of JSON or NDJSON rows; keeps every other byte. */
export function renameKeys(text: string, { columns, fields }: FixtureNames): string {
  let depth = 0;
  // In a JSON file rows are inside a list, in NDJSON at the top level.
  const rowDepth = /^\s*\[/.test(text) ? 2 : 1;
  return text.replace(TOKEN, (token, at: number) => {
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    else if (/^\s*:/.test(text.slice(at + token.length, at + token.length + 16))) {
      const key = token.slice(1, -1);
      const present = columns.get(key) ?? (depth === rowDepth ? fields.get(key) : undefined);
      return present === undefined ? token : `"${present}"`;
    }
    return token;
  });
}

/** Renames the columns in the header line of CSV rows. */
export function renameHeader(text: string, { columns, fields }: FixtureNames): string {
  const end = text.search(/\r?\n|$/);
  const header = text
    .slice(0, end)
    .replace(/(^|[,;\t])("?)([A-Za-z][\w-]*)\2(?=[,;\t]|$)/g, (cell, start, quote, key) => {
      const present = columns.get(key) ?? fields.get(key);
      return present === undefined ? cell : `${start}${quote}${present}${quote}`;
    });
  return header + text.slice(end);
}

export interface TextRenames {
  readonly renames: Renames;
  /** A renamed definition. */
  readonly moved?: NameChange;
  /** A renamed field: fixtures may name it without its schema. */
  readonly field?: { readonly schema: string; readonly from: string; readonly to: string };
  /** Whether to rename columns and schemas in code too, or only list them. Default false. */
  readonly isWithCode?: boolean;
}

/** The new text of a file; `to` if the file moves. */
export interface TextChange {
  readonly file: string;
  readonly to?: string;
  readonly before: string;
  readonly after: string;
}

/** A line that contains an old name and was not changed. */
export interface LeftText {
  readonly file: string;
  readonly line: number;
  readonly name: string;
  readonly text: string;
}

export interface TextPlan {
  readonly changes: readonly TextChange[];
  readonly left: readonly LeftText[];
}

const LINE_CHARACTERS = 120;

/** Plans the changes of a project's own files for a rename, and lists the lines that a person must change. */
export async function planTextRenames(root: string, input: TextRenames): Promise<TextPlan> {
  const files = await readTextFiles(root);
  const changes: TextChange[] = [];
  const left: LeftText[] = [];
  for (const { file, text } of files) {
    const after = renameText({ file, text }, input);
    const to = toMoved(file, input);
    if (after !== text || to !== file) changes.push({ file, before: text, after, ...(to === file ? {} : { to }) });
    if (!isFixture(file)) left.push(...findLeft({ file: to, text: after }, input));
  }
  return { changes, left };
}

/** The fixture file has the name of its schema. */
function toMoved(file: string, { moved }: TextRenames): string {
  const [, name, extension] = /^fixture\/([^/]+)\.(ndjson|json|csv)$/.exec(file) ?? [];
  return moved?.kind === 'schema' && name === moved.from ? `fixture/${moved.to}.${extension}` : file;
}

function renameText({ file, text }: TextFile, input: TextRenames): string {
  const { columns, relations } = input.renames;
  if (isFixture(file)) return renameFixture({ file, text }, input);
  if (isTemplate(file)) return renameCommands(renameInTemplate(text, { columns, relations }), input);
  if (isLocale(file)) return replaceWords(text, (word) => columns.get(word) ?? word);
  if (file.endsWith('.md')) return renameCommands(text, input);
  return isCode(file) && input.isWithCode ? renameInCode(text, columns, input.moved) : text;
}

function renameFixture({ file, text }: TextFile, { renames, field }: TextRenames): string {
  const schema = /^fixture\/(.+)\.[a-z]+$/.exec(file)?.[1] ?? '';
  const own = renames.bySchema.get(schema)?.columns ?? new Map();
  const names = {
    columns: new Map([...renames.columns, ...own]),
    fields: new Map(field?.schema === schema ? [[field.from, field.to] as const] : []),
  };
  return file.endsWith('.csv') ? renameHeader(text, names) : renameKeys(text, names);
}

/** Renames a schema or its fixture in command lines, such as those of a README. */
function renameCommands(text: string, { moved }: TextRenames): string {
  if (moved?.kind !== 'schema') return text;
  const from = escapeRegExp(moved.from);
  return text
    .replace(new RegExp(`(treadle (?:import|export|fake|rest generate) )${from}(?![\\w-])`, 'g'), `$1${moved.to}`)
    .replace(new RegExp(`(?<![\\w/-])fixture/${from}(?=\\.(?:ndjson|json|csv)\\b)`, 'g'), `fixture/${moved.to}`);
}

/** A quoted name after `schema`, `schema1` or `schema2`: a stage value or an object key. */
const toSchemaLiteral = (from: string): RegExp =>
  new RegExp(`(\\bschema[12]?["'\`]?\\s*[,:=]\\s*)(["'\`])${escapeRegExp(from)}\\2`, 'g');

function renameInCode(text: string, columns: Names, moved: NameChange | undefined): string {
  const renamed = replaceCodeWords(text, (word) => columns.get(word) ?? word);
  return moved?.kind === 'schema' ? renamed.replace(toSchemaLiteral(moved.from), `$1$2${moved.to}$2`) : renamed;
}

/**
 * Pattern for the old names of columns and lists; names that are common words are searched only in some
 * files.
 */
function toLookedFor({ renames, moved }: TextRenames, file: string): RegExp | undefined {
  const changed = [...renames.bySchema.values()].flatMap(({ columns }) => [...columns.keys()]);
  const words = [...new Set([...renames.columns.keys(), ...changed])].map(escapeRegExp);
  const parts = words.map((word) => `(?<![\\p{L}\\p{N}_$])${word}(?![\\p{L}\\p{N}_$])`);
  const names = [...renames.bySchema.values()].flatMap(({ relations, computed }) => [
    ...relations.keys(),
    ...computed.keys(),
  ]);
  if (isTemplate(file)) {
    for (const name of new Set(names))
      parts.push(`\\{\\{[^{}]*(?<![\\w$"'=-])${escapeRegExp(name)}(?![\\w$-])[^{}]*\\}\\}`);
  }
  if (isCode(file)) {
    // Such a name usually means the schema, which still exists.
    const lists = names.filter((name) => !renames.bySchema.has(name));
    for (const name of new Set([...lists, ...(moved ? [moved.from] : [])]))
      parts.push(`(["'\`])${escapeRegExp(name)}\\1`);
  }
  // Each part has its own closing quote.
  const numbered = parts.map((part, index) =>
    part.replaceAll('(["\'`])', `(?<q${index}>["'\`])`).replace('\\1', `\\k<q${index}>`),
  );
  return parts.length === 0 ? undefined : new RegExp(numbered.join('|'), 'u');
}

function findLeft({ file, text }: TextFile, input: TextRenames): LeftText[] {
  const looked = toLookedFor(input, file);
  if (looked === undefined) return [];
  return text.split('\n').flatMap((line, index) => {
    const found = looked.exec(line);
    if (found === null) return [];
    const shown = line.trim();
    const short = shown.length > LINE_CHARACTERS ? `${shown.slice(0, LINE_CHARACTERS - 1)}…` : shown;
    return [{ file, line: index + 1, name: found[0].replace(/^["'`]|["'`]$/g, ''), text: short }];
  });
}
