import { toRecord } from '../../../model/json/json-parts.ts';
import { toTypeName } from '../../types/print.ts';
import { findFileField, findResults, type Operation } from '../call.ts';
import { ALTERNATIVES, FILTER } from '../filter.ts';
import { findComponent } from '../type.ts';
import type { PythonRow } from './row.ts';
import { OWN_NAME, type PythonTypes, toDocstring, toIdentifier, toText } from './type.ts';

/** What the methods of a group are printed with. */
export interface PythonBook {
  readonly types: PythonTypes;
  readonly rows: ReadonlyMap<string, PythonRow>;
}

interface Parameter {
  /** As the API has it. */
  readonly name: string;
  readonly identifier: string;
  readonly type: string;
  readonly isNeeded: boolean;
  readonly isInPath: boolean;
}

/** Names that methods have for themselves. */
const OWN = ['body', 'file', 'name', 'media_type', 'if_match', 'idempotency_key'];

const toFreeIdentifier = (name: string): string => {
  const plain = toIdentifier(name);
  return OWN.includes(plain) ? `${plain}_` : plain;
};

/** `foo-bar` of `public-foo-bar-search` is the group's: `public_search`. */
export function toPythonNames(operations: readonly Operation[]): Map<Operation, string> {
  const taken = new Set<string>();
  return new Map(
    operations.map((operation) => {
      const short = `-${operation.id}-`.replace(`-${operation.tag}-`, '-').replace(/^-|-$/g, '');
      let name = toIdentifier(short === '' ? operation.id : short);
      if (taken.has(name)) name = toIdentifier(operation.id);
      while (taken.has(name) || taken.has(`${name}_all`)) name += '_';
      taken.add(name).add(`${name}_all`);
      return [operation, name];
    }),
  );
}

const toSequence = (type: string): string => type.replace(/^list\[/, 'typing.Sequence[');

/** The type of the conditions of a search: each column with a value, or with the operators of its kind. */
function declareFilter(operation: Operation, { types }: PythonBook): string | undefined {
  const columns = new Map<string, { type: string; operators: { name: string; type: string; isOptional: true }[] }>();
  for (const { name, schema } of operation.parameters) {
    const [, column, operator] = FILTER.exec(String(name)) ?? [];
    if (column === undefined) continue;
    const type = toSequence(types.print(schema, `${toTypeName(column)}Value`));
    const known = columns.get(column) ?? { type, operators: [{ name: 'eq', type, isOptional: true }] };
    if (operator !== undefined) known.operators.push({ name: operator, type, isOptional: true });
    columns.set(column, known);
  }
  if (columns.size === 0) return undefined;
  const members = [...columns].map(([name, { type, operators }]) => ({
    name,
    type: `${type} | ${types.declare(`${toTypeName(name.replace(/_/g, '-'))}Conditions`, operators)}`,
    isOptional: true,
  }));
  const own = { name: ALTERNATIVES, type: `typing.Sequence[${OWN_NAME}]`, isOptional: true };
  const all = columns.has(ALTERNATIVES) ? members : [...members, own];
  return types.declare(`${toTypeName(operation.tag)}Filter`, all, {
    about: 'Conditions that rows must meet, all of them; of the alternatives in `or` one.',
  });
}

function findRow({ definition, parameters }: Operation, results: unknown, book: PythonBook): PythonRow | undefined {
  const action = definition['x-treadle-action'];
  const item = action === 'search' ? toRecord(toRecord(toRecord(results).properties).rows).items : results;
  const component = findComponent(item);
  const isChosen = parameters.some(({ name, in: place }) => name === 'fields' && place === 'query');
  return isChosen && component !== undefined ? book.rows.get(component) : undefined;
}

function toParameters(operation: Operation, row: PythonRow | undefined, book: PythonBook): Parameter[] {
  const filter = declareFilter(operation, book);
  const shown = operation.parameters.filter(
    ({ in: place, name }) => place === 'path' || (place === 'query' && !FILTER.test(String(name))),
  );
  const plain = shown.map(({ name, schema, required, in: place }): Parameter => {
    const key = String(name);
    const list = { fields: row?.column ?? 'str', expand: 'str', sort: 'str' }[key];
    const type = list === undefined ? book.types.print(schema, toTypeName(key)) : `str | typing.Sequence[${list}]`;
    const wide = place === 'path' || key.endsWith('_id') ? (type === 'int' ? 'int | str' : type) : type;
    return {
      name: key,
      identifier: toFreeIdentifier(key),
      type: toSequence(wide),
      isNeeded: required === true,
      isInPath: place === 'path',
    };
  });
  const conditions = { name: 'filter', identifier: 'filter', isNeeded: false, isInPath: false };
  return filter === undefined ? plain : [...plain, { ...conditions, type: filter }];
}

interface ArgumentText {
  /** Text of the arguments, and of what is passed on. */
  readonly takes: readonly string[];
  readonly sends: readonly string[];
}

function toBody(operation: Operation, type: string, { types }: PythonBook): ArgumentText {
  const content = toRecord(operation.body.content);
  const field = findFileField(content);
  if (field !== undefined) {
    return {
      takes: ['file: bytes | typing.IO[bytes]'],
      sends: [`files={${toText(field)}: (name, file, media_type)}`],
    };
  }
  const json = Object.keys(content).find((key) => key.endsWith('json'));
  if (json === undefined) return { takes: [], sends: [] };
  const body = types.print(toRecord(content[json]).schema, `${type}Body`);
  const isNeeded = operation.body.required === true;
  return { takes: [isNeeded ? `body: ${body}` : `body: ${body} | None = None`], sends: ['body=body'] };
}

function toOptions(operation: Operation, isUpload: boolean): ArgumentText {
  const version = operation.parameters.find(({ name }) => name === 'If-Match');
  const isWrite = operation.method !== 'GET';
  return {
    takes: [
      ...(isUpload ? ['name: str = "file"', 'media_type: str = "application/octet-stream"'] : []),
      ...(version === undefined ? [] : [version.required === true ? 'if_match: str' : 'if_match: str | None = None']),
      ...(isWrite ? ['idempotency_key: str | typing.Literal[False] | None = None'] : []),
    ],
    sends: [
      ...(version === undefined ? [] : ['if_match=if_match']),
      ...(isWrite ? ['idempotency_key=idempotency_key'] : []),
    ],
  };
}

const toDictionary = (parameters: readonly Parameter[]): string =>
  `{${parameters.map(({ name, identifier }) => `${toText(name)}: ${identifier}`).join(', ')}}`;

function describe({ definition, method, path }: Operation): string {
  const { summary, description } = definition;
  const text = description === undefined ? String(summary ?? '') : `${String(summary ?? '')}: ${String(description)}`;
  return `${text} \`${method} ${path}\``;
}

/** A method, and for a search the method that yields all rows. */
export function printPythonMethod(operation: Operation, name: string, book: PythonBook): string[] {
  const { types } = book;
  const type = `${toTypeName(operation.tag)}${toTypeName(name.replace(/_/g, '-'))}`;
  const results = findResults(operation);
  const row = findRow(operation, results, book);
  const parameters = toParameters(operation, row, book);
  const body = toBody(operation, type, book);
  const options = toOptions(operation, body.sends[0]?.startsWith('files=') === true);
  const needed = parameters.filter(({ isNeeded }) => isNeeded);
  const free = parameters.filter(({ isNeeded }) => !isNeeded);
  const named = [...free.map(({ identifier, type: own }) => `${identifier}: ${own} | None = None`), ...options.takes];
  const takes = [
    'self',
    ...needed.map(({ identifier, type: own }) => `${identifier}: ${own}`),
    ...body.takes,
    ...(named.length > 0 ? ['*', ...named] : []),
  ];
  const inPath = parameters.filter(({ isInPath }) => isInPath);
  const inQuery = parameters.filter(({ isInPath }) => !isInPath);
  const call = `${name.toUpperCase()}_CALL`;
  const sends = [
    ...(inPath.length > 0 ? [`path=${toDictionary(inPath)}`] : []),
    ...(inQuery.length > 0 ? [`query=${toDictionary(inQuery)}`] : []),
    ...body.sends,
    ...options.sends,
  ];
  const isSearch = operation.definition['x-treadle-action'] === 'search';
  const item = isSearch ? toRecord(toRecord(toRecord(results).properties).rows).items : results;
  // Where a search groups, its rows are others.
  const one = row ? (isSearch ? row.name : row.detail) : types.print(item ?? {}, `${type}Result`);
  const result = isSearch ? `runtime.Page[${one}]` : one;
  const access = String(operation.definition['x-treadle-access'] ?? 'public');
  const about = toDocstring(describe(operation), '        ');
  const arg = [`self._${call}`, ...sends].join(', ');
  const constant = [operation.id, operation.method, operation.path, access].map(toText).join(', ');
  return [
    `    _${call} = runtime.Call(${constant})`,
    '',
    `    def ${name}(${takes.join(', ')}) -> ${result}:`,
    ...about,
    `        results: ${result} = self._transport.${isSearch ? 'page' : 'send'}(${arg})`,
    '        return results',
    '',
    ...(isSearch && inQuery.some((parameter) => parameter.name === 'after')
      ? [
          `    def ${name}_all(${takes.join(', ')}) -> typing.Iterator[${one}]:`,
          ...toDocstring('Every row of the search, page after page.', '        '),
          `        rows: typing.Iterator[${one}] = self._transport.iterate(${arg})`,
          '        return rows',
          '',
        ]
      : []),
  ];
}
