import { toList, toRecord } from '../../model/json/json-parts.ts';
import type { Json } from '../../model/json/value-schema.ts';
import { toComment, toLiteral, toTypeName } from '../types/print.ts';
import { type ComponentNames, listMembers } from './type.ts';

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
  ...['Tokens', 'Transport', 'Values', 'Array', 'Blob', 'Date', 'Error', 'FormData', 'Map', 'Number'],
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
  /** Those of them that take a depth, as `below:3`. */
  readonly deep: readonly string[];
  /** Those of them whose rows have relations of their own: all but the parts of a tree. */
  readonly nested: readonly string[];
}

/** The types of a document. */
export interface TypeBook {
  readonly names: ComponentNames;
  /** By the component of a search's rows or a detail. */
  readonly rows: ReadonlyMap<string, RowTypes>;
  readonly text: string;
}

/** The name in `expand` of a part of a tree. */
function findExpand(branches: Json, relation: string): string | undefined {
  const name = toRecord(toRecord(branches.properties)[relation])['x-treadle-expand'];
  return typeof name === 'string' ? name : undefined;
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

export interface RowComponent {
  readonly component: string;
  readonly name: string;
  readonly columns: Json;
  readonly whole: Json;
  readonly branches: Json;
}

/** The schemas whose rows a document shows. */
export function listShown(schemas: Json): RowComponent[] {
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
  // Parts of a tree come only where `expand` names them.
  const usual = relations.filter((relation) => findExpand(branches, relation) === undefined);
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
          ...listMembers({ ...branches, required: usual }, names).map((line) => `  ${line}`),
          '}',
          '',
          `export type ${name}Detail = ${name} & ${name}Relations;`,
        ]),
    `export type ${name}Columns = Pick<${name}, ${toLiteral(key)}> & Partial<${name}>;`,
    '',
  ];
}

/** The type of a row with the rows below it; nothing for a schema without a tree. */
function printBranch(branch: unknown, { name }: Pick<RowComponent, 'name'>, names: ComponentNames): string[] {
  if (branch === undefined) return [];
  const below = toRecord(toList(toRecord(branch).allOf)[1]);
  return [
    ...toComment('A row with the rows below it, to the depth that was requested.'),
    `export interface ${name}Branch extends ${name} {`,
    ...listMembers(below, names).map((line) => `  ${line}`),
    '}',
    '',
  ];
}

/** Types of every row that the API returns. A document without the `-columns` components has none. */
export function toTypeBook(document: Json): TypeBook {
  const schemas = toRecord(toRecord(document.components).schemas);
  const shown = listShown(schemas);
  const names = new Map<string, string>([['problem', 'ProblemBody']]);
  const rows = new Map<string, RowTypes>();
  for (const { component, name, columns, branches } of shown) {
    names
      .set(component, name)
      .set(`${component}-columns`, `${name}Columns`)
      .set(`${component}-detail`, `${name}Detail`)
      .set(`${component}-branch`, `${name}Branch`);
    const relations = Object.keys(toRecord(branches.properties)).filter((relation) => !isMore(relation));
    const expands = relations.map((relation) => findExpand(branches, relation) ?? relation);
    const isDeep = (relation: string): boolean => findExpand(branches, relation)?.endsWith('below') === true;
    const deep = relations.filter(isDeep).map((relation) => findExpand(branches, relation) ?? relation);
    const nested = relations.filter((relation) => findExpand(branches, relation) === undefined);
    const types = { name, key: String(toList(columns.required)[0]), relations: expands, deep, nested };
    rows.set(`${component}-columns`, types).set(`${component}-detail`, types);
  }
  const lines = shown.flatMap((entry) => [
    ...printRow(entry, names, toRecord(schemas[entry.component]).title),
    ...printBranch(schemas[`${entry.component}-branch`], entry, names),
  ]);
  return { names, rows, text: lines.join('\n') };
}
