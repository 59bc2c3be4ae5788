import { toList, toRecord } from '../../model/json/json-parts.ts';
import type { Json } from '../../model/json/value-schema.ts';
import { toComment, toLiteral, toTypeName } from '../types/print.ts';
import { type ComponentNames, listMembers, printType } from './type.ts';

/** Names of the file's own types and of the language, which no row may use. */
const RESERVED: ReadonlySet<string> = new Set([
  ...[
    'ApiError',
    'AnswerFacts',
    'Call',
    'CallOptions',
    'Client',
    'ClientOptions',
    'OAuth',
    'Page',
    'ProblemBody',
    'Scope',
  ],
  ...['Tokens', 'Transport', 'Values', 'Comparison', 'Array', 'Blob', 'Date', 'Error', 'FormData', 'Map', 'Number'],
  ...[
    'Object',
    'Partial',
    'Pick',
    'Promise',
    'Record',
    'Request',
    'Response',
    'Set',
    'String',
    'Symbol',
    'URL',
    'WeakMap',
  ],
]);

/** The types of a schema's rows: whole, and with relations. */
export interface RowTypes {
  readonly name: string;
  /** Primary key. */
  readonly key: string;
  /** Relation names that `expand` takes. */
  readonly relations: readonly string[];
}

/** The types of a document. */
export interface TypeBook {
  readonly names: ComponentNames;
  /** By the component of a search's rows or a detail. */
  readonly rows: ReadonlyMap<string, RowTypes>;
  readonly text: string;
}

const isMore = (name: string): boolean => name.endsWith('_more');

/** A unique type name: `page` becomes `PageRow`, because the file has its own `Page`. */
function toFreeName(name: string, taken: Set<string>): string {
  const plain = toTypeName(name);
  let free = RESERVED.has(plain) || !/^[A-Za-z_$]/.test(plain) ? `${plain.replace(/^\d/, '_$&')}Row` : plain;
  while (taken.has(free) || taken.has(`${free}Detail`) || taken.has(`${free}Columns`)) free += '_';
  for (const own of ['', 'Detail', 'Columns', 'Relations']) taken.add(free + own);
  return free;
}

interface RowComponent {
  readonly component: string;
  readonly name: string;
  readonly columns: Json;
  readonly whole: Json;
  readonly branches: Json;
}

function listShown(schemas: Json): RowComponent[] {
  const taken = new Set<string>();
  return Object.keys(schemas)
    .filter((name) => `${name}-columns` in schemas)
    .sort()
    .map((component) => ({
      component,
      name: toFreeName(component, taken),
      columns: toRecord(schemas[`${component}-columns`]),
      whole: toRecord(toList(toRecord(schemas[component]).allOf)[1]),
      branches: toRecord(toList(toRecord(schemas[`${component}-detail`]).allOf)[1]),
    }));
}

function printRow(
  { name, columns, whole, branches, component }: RowComponent,
  names: ComponentNames,
  title: unknown,
): string[] {
  const key = String(toList(columns.required)[0]);
  const members = listMembers({ ...columns, required: whole.required }, names);
  const relations = Object.keys(toRecord(branches.properties)).filter((relation) => !isMore(relation));
  const described = toRecord(columns.properties);
  const lines = Object.keys(described).flatMap((column, index) => [
    ...toComment(String(toRecord(described[column]).description ?? ''), '  '),
    `  ${members[index]}`,
  ]);
  return [
    ...toComment(`${String(title ?? component)}: a whole row.`),
    `export interface ${name} {`,
    ...lines,
    '}',
    '',
    ...(relations.length === 0
      ? []
      : [
          ...toComment('Relations of the row, if requested.'),
          `export interface ${name}Relations {`,
          ...listMembers({ ...branches, required: relations }, names).map((line) => `  ${line}`),
          '}',
          '',
          `export type ${name}Detail = ${name} & ${name}Relations;`,
        ]),
    `export type ${name}Columns = Pick<${name}, ${toLiteral(key)}> & Partial<${name}>;`,
    '',
  ];
}

/** Types of every row that the API returns. A document without the `-columns` components has none. */
export function toTypeBook(document: Json): TypeBook {
  const schemas = toRecord(toRecord(document.components).schemas);
  const shown = listShown(schemas);
  const names = new Map<string, string>([
    ['problem', 'ProblemBody'],
    ['comparison', 'Comparison'],
  ]);
  const rows = new Map<string, RowTypes>();
  for (const { component, name, columns, branches } of shown) {
    names
      .set(component, name)
      .set(`${component}-columns`, `${name}Columns`)
      .set(`${component}-detail`, `${name}Detail`);
    const relations = Object.keys(toRecord(branches.properties)).filter((relation) => !isMore(relation));
    const types = { name, key: String(toList(columns.required)[0]), relations };
    rows.set(`${component}-columns`, types).set(`${component}-detail`, types);
  }
  const comparison = schemas.comparison;
  const lines = shown.flatMap((entry) => printRow(entry, names, toRecord(schemas[entry.component]).title));
  const compared = comparison === undefined ? [] : [`export type Comparison = ${printType(comparison, names)};`, ''];
  return { names, rows, text: [...compared, ...lines].join('\n') };
}
