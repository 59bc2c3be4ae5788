import { toList, toRecord } from '../../model/json/json-parts.ts';
import { isRecord } from '../../model/json/json-value.ts';
import type { Json } from '../../model/json/value-schema.ts';
import { toComment, toKey, toLiteral, toTypeName, toUnion } from '../types/print.ts';
import { FILTER, printFilter } from './filter.ts';
import type { RowTypes, TypeBook } from './row.ts';
import { findComponent, listMembers, printType } from './type.ts';

/** An operation of the document, with references resolved. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  readonly definition: Json;
  /** With its components in place. */
  readonly body: Json;
  readonly parameters: readonly Json[];
}

/** A body with its components in place of references to them: its types stand with the call. */
function inlineBody(node: unknown, schemas: Json): Json {
  const inline = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(inline);
    if (!isRecord(part)) return part;
    const name = findComponent(part);
    if (name !== undefined && name in schemas) return inline(schemas[name]);
    return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, inline(value)]));
  };
  return toRecord(inline(node));
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** Every operation, in the document's order. */
export function listOperations(document: Json): Operation[] {
  const known = toRecord(toRecord(document.components).parameters);
  const follow = (parameter: unknown): Json => {
    const name = /^#\/components\/parameters\/(.+)$/.exec(String(toRecord(parameter).$ref))?.[1];
    return toRecord(name === undefined ? parameter : known[name]);
  };
  return Object.entries(toRecord(document.paths)).flatMap(([path, item]) =>
    METHODS.filter((method) => method in toRecord(item)).map((method) => {
      const definition = toRecord(toRecord(item)[method]);
      return {
        id: String(definition.operationId),
        method: method.toUpperCase(),
        path,
        tag: String(toList(definition.tags)[0] ?? 'calls'),
        definition,
        body: inlineBody(definition.requestBody, toRecord(toRecord(document.components).schemas)),
        parameters: toList(definition.parameters).map(follow),
      };
    }),
  );
}

const toCamel = (name: string): string => {
  const type = toTypeName(name);
  const word = type.charAt(0).toLowerCase() + type.slice(1);
  return /^[a-z_$]/i.test(word) ? word : `_${word}`;
};
export const toPropertyName = toCamel;

/**
 * Method names of a group: the call's name without the group's (`public-article-search` of `article`:
 * `publicSearch`).
 */
export function toMethodNames(operations: readonly Operation[]): Map<Operation, string> {
  const short = ({ id, tag }: Operation): string => toCamel(`-${id}-`.replace(`-${tag}-`, '-')) || toCamel(id);
  const counted = new Map<string, number>();
  for (const operation of operations) counted.set(short(operation), (counted.get(short(operation)) ?? 0) + 1);
  const taken = new Set(['constructor']);
  return new Map(
    operations.map((operation) => {
      let name = counted.get(short(operation)) === 1 ? short(operation) : toCamel(operation.id);
      while (taken.has(name) || taken.has(`${name}All`)) name += '_';
      taken.add(name).add(`${name}All`);
      return [operation, name];
    }),
  );
}

/** Everything needed to print a method. */
interface Method {
  readonly operation: Operation;
  readonly name: string;
  /** Prefix of the method's own types. */
  readonly type: string;
  readonly book: TypeBook;
  /** Set if its results are rows with selectable columns. */
  readonly row: RowTypes | undefined;
  readonly results: unknown;
  readonly action: string;
}

/** The schema of a success's results. */
export function findResults({ definition }: Operation): unknown {
  const responses = toRecord(definition.responses);
  const success = toRecord(responses['200'] ?? responses['201'] ?? responses['202']);
  const json = toRecord(toRecord(success.content)['application/json']);
  return toRecord(toRecord(json.schema).properties).results;
}

function toMethod(operation: Operation, name: string, book: TypeBook): Method {
  const results = findResults(operation);
  const action = String(operation.definition['x-treadle-action'] ?? 'other');
  const item = action === 'search' ? toRecord(toRecord(toRecord(results).properties).rows).items : results;
  const component = findComponent(item);
  const hasFields = operation.parameters.some((parameter) => parameter.name === 'fields' && parameter.in === 'query');
  const isRow = hasFields && (action === 'search' || action === 'detail') && component !== undefined;
  const row = isRow ? book.rows.get(component) : undefined;
  return { operation, name, type: `${toTypeName(operation.tag)}${toTypeName(name)}`, book, row, results, action };
}

const toExpandUnion = ({ relations, deep, nested }: RowTypes): string =>
  [
    toUnion(relations),
    ...deep.map((name) => `\`${name}:\${number}\``),
    // Relations of relations.
    ...nested.map((name) => `\`${name}.\${string}\``),
  ].join(' | ');

/** Parameters with a more exact type than in the document: lists of columns and of relations. */
function toOwnType({ row }: Method, name: string): string | undefined {
  if (name === 'fields') return row ? 'readonly F[]' : 'string | readonly string[]';
  if (name === 'expand') return row ? `readonly (${toExpandUnion(row)})[]` : 'string | readonly string[]';
  return name === 'sort' ? 'string | readonly string[]' : undefined;
}

/** Members of the parameters, and the type of their conditions. */
interface ParameterText {
  readonly text: string;
  readonly isNeeded: boolean;
  readonly filter: string | undefined;
}

function printParameters(method: Method): ParameterText | undefined {
  const shown = method.operation.parameters.filter(({ in: place }) => place === 'path' || place === 'query');
  if (shown.length === 0) return undefined;
  const filter = printFilter(shown, method.book.names, `${method.type}Filter`);
  const plain = shown.filter(({ name }) => !FILTER.test(String(name)));
  const members = plain.flatMap(({ name, schema, required, description }) => {
    const key = String(name);
    const type = toOwnType(method, key) ?? printType(schema, method.book.names);
    const wide = key.endsWith('_id') && type === 'number' ? 'number | string' : type;
    return [
      ...toComment(String(description ?? ''), '  '),
      `  readonly ${toKey(key)}${required === true ? '' : '?'}: ${wide};`,
    ];
  });
  return {
    text: [...members, ...(filter?.member ?? [])].join('\n'),
    isNeeded: shown.some(({ required }) => required === true),
    filter: filter?.type,
  };
}

interface Body {
  readonly type: string;
  readonly text: string;
  readonly isNeeded: boolean;
  readonly mediaType: string;
  /** For a body of one file: the form's field that holds it. */
  readonly file?: string;
}

/** The field of a form that carries one file, for a body that is such a form only. */
export function findFileField(content: Json): string | undefined {
  const { properties } = toRecord(toRecord(content['multipart/form-data']).schema);
  return Object.keys(content).length === 1 ? Object.keys(toRecord(properties))[0] : undefined;
}

function printBody(method: Method): Body | undefined {
  const { body } = method.operation;
  const content = toRecord(body.content);
  const mediaType = Object.keys(content).find((type) => type.endsWith('json'));
  const file = findFileField(content);
  if (file !== undefined)
    return { type: 'Blob | FormData', text: '', isNeeded: true, mediaType: 'multipart/form-data', file };
  if (mediaType === undefined) return undefined;
  const schema = toRecord(toRecord(content[mediaType]).schema);
  const name = `${method.type}Body`;
  const members = listMembers(schema, method.book.names).map((line) => `  readonly ${line}`);
  const text =
    schema.type === 'array'
      ? `export type ${name} = readonly ${printType(schema, method.book.names)};\n`
      : members.length === 0
        ? `export type ${name} = Readonly<Record<string, unknown>>;\n`
        : `export interface ${name} {\n${members.join('\n')}\n}\n`;
  return {
    type: body['x-treadle-files'] === true ? `${name} | FormData` : name,
    text,
    isNeeded: body.required === true,
    mediaType,
  };
}

/** Type of a search's row, or of a detail, with selected columns. */
function buildSelectedType({ name, key, relations }: RowTypes): string {
  const columns = `Pick<${name}, F | ${toLiteral(key)}>`;
  return relations.length === 0 ? columns : `${columns} & Partial<${name}Relations>`;
}

function toResultType(method: Method): string {
  const { row, action, results, book } = method;
  if (action === 'search') {
    const item = toRecord(toRecord(toRecord(results).properties).rows).items;
    return `Page<${row ? buildSelectedType(row) : printType(item, book.names)}>`;
  }
  return row ? buildSelectedType(row) : printType(results ?? {}, book.names);
}

/** What a method takes and gives, as text. */
export interface MethodText {
  readonly method: Method;
  readonly generic: string;
  /** The name of the type of its parameters, and the same with its type argument; undefined without parameters. */
  readonly parameters: { readonly name: string; readonly given: string; readonly isNeeded: boolean } | undefined;
  readonly body: Body | undefined;
  readonly result: string;
  /** The types that it declares. */
  readonly types: string;
}

export function toMethodText(operation: Operation, name: string, book: TypeBook): MethodText {
  const method = toMethod(operation, name, book);
  const parameters = printParameters(method);
  const body = printBody(method);
  const generic = method.row ? `<F extends keyof ${method.row.name} = keyof ${method.row.name}>` : '';
  const type = `${method.type}Parameters`;
  const types = [
    ...(parameters?.filter === undefined ? [] : [parameters.filter]),
    ...(parameters ? [`export interface ${type}${generic} {\n${parameters.text}\n}\n`] : []),
    ...(body && body.text !== '' ? [body.text] : []),
  ];
  return {
    method,
    generic,
    parameters: parameters && { name: type, given: `${type}${method.row ? '<F>' : ''}`, isNeeded: parameters.isNeeded },
    body,
    result: toResultType(method),
    types: types.join('\n'),
  };
}

/** The text of a method, its types, and the method that yields all rows of a search. */
export function printMethod(operation: Operation, name: string, book: TypeBook): { types: string; text: string } {
  const { method, generic, parameters, body, result, types } = toMethodText(operation, name, book);
  const type = parameters?.name ?? '';
  const isVersionNeeded = operation.parameters.some((entry) => entry.name === 'If-Match' && entry.required === true);
  const takes = [
    ...(parameters ? [`parameters: ${parameters.given}${parameters.isNeeded ? '' : ' = {}'}`] : []),
    ...(body ? [`${body.file ? 'file' : 'body'}${body.isNeeded || isVersionNeeded ? '' : '?'}: ${body.type}`] : []),
    toOptions(isVersionNeeded, body),
  ];
  const definition = toDefinition(operation, body);
  const sends = `this.#transport.send(${definition}, ${parameters ? '{ ...parameters }' : '{}'}, ${toSent(body)}, options)`;
  const lines = [
    ...describe(operation),
    ...(method.row && method.action === 'detail' ? toOverload(method, method.row, { type, takes }) : []),
    `  ${name}${generic}(${takes.join(', ')}): Promise<${result}> {`,
    `    return ${sends};`,
    '  }',
    ...(method.action === 'search' && parameters ? printAll(method, { type: parameters.given, generic, result }) : []),
  ];
  return { types, text: lines.join('\n') };
}

function toOptions(isVersionNeeded: boolean, body: Body | undefined): string {
  if (isVersionNeeded) return 'options: CallOptions & { readonly ifMatch: string }';
  return body?.file ? 'options?: CallOptions & { readonly name?: string }' : 'options?: CallOptions';
}

function toSent(body: Body | undefined): string {
  if (body?.file) return `this.#transport.toForm(file, ${toLiteral(body.file)}, options?.name)`;
  return body ? 'body' : 'undefined';
}

/** Without selected columns a detail is the whole row with its relations. */
export function toOverload(
  { name }: Method,
  row: RowTypes,
  { type, takes }: { readonly type: string; readonly takes: readonly string[] },
): string[] {
  const choices = row.relations.length === 0 ? 'fields?: undefined' : 'fields?: undefined; expand?: undefined';
  const whole = takes.map((entry) => entry.replace(`${type}<F>`, `${type} & { ${choices} }`).replace(/ = \{\}$/, ''));
  const first = takes[0]?.endsWith('= {}')
    ? whole.map((entry, at) => (at === 0 ? entry.replace('parameters:', 'parameters?:') : entry))
    : whole;
  const detail = row.relations.length === 0 ? row.name : `${row.name}Detail`;
  const chosen = takes.map((entry) => entry.replace(/^(\w+): (.*) = \{\}$/, '$1?: $2'));
  return [
    `  ${name}(${first.join(', ')}): Promise<${detail}>;`,
    `  ${name}<F extends keyof ${row.name} = keyof ${row.name}>(${chosen.join(', ')}): Promise<${buildSelectedType(row)}>;`,
  ];
}

function printAll(
  { name }: Method,
  { type, generic, result }: { readonly type: string; readonly generic: string; readonly result: string },
): string[] {
  const row = /^Page<(.*)>$/s.exec(result)?.[1] ?? 'unknown';
  return [
    '',
    '  /** Every row of the search, page after page. */',
    `  ${name}All${generic}(parameters: ${type} = {} as ${type}, options?: CallOptions): AsyncGenerator<${row}, void, undefined> {`,
    `    return iterate((more) => this.${name}(more as ${type}, options), { ...parameters });`,
    '  }',
  ];
}

function describe({ definition, method, path }: Operation): string[] {
  const { summary, description, deprecated } = definition;
  const scopes = toList(definition.security).flatMap((need) => toList(toRecord(need).oauth2).map(String));
  const parts = [
    `${String(summary ?? '')}${description === undefined ? '' : `: ${String(description)}`}`,
    `\`${method} ${path}\``,
    ...(scopes.length === 0 ? [] : [`Scope: ${[...new Set(scopes)].join(' or ')}.`]),
    ...(deprecated === true ? ['@deprecated'] : []),
  ];
  return toComment(parts.join(' '), '  ');
}

function toDefinition({ id, method, path, definition }: Operation, body: Body | undefined): string {
  const access = String(definition['x-treadle-access'] ?? 'public');
  const members = [
    `name: ${toLiteral(id)}`,
    `method: ${toLiteral(method)}`,
    `path: ${toLiteral(path)}`,
    `access: ${toLiteral(access)}`,
    ...(body === undefined || body.file || body.mediaType === 'application/json'
      ? []
      : [`type: ${toLiteral(body.mediaType)}`]),
  ];
  return `{ ${members.join(', ')} }`;
}
