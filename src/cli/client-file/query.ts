import { toComment, toLiteral } from '../types/print.ts';
import { type MethodText, toMethodNames, toMethodText, toOverload } from './call.ts';
import type { Group } from './group.ts';
import type { TypeBook } from './row.ts';

const HEAD = `// Written by "treadle client" from the API's own document: change that, and write it again.
// Query options for TanStack Query 5. The types are structural, so this file needs no package.
`;

const OPTIONS = `/** Options of a query: its key, and what loads it. */
export interface QueryOptions<Data> {
  readonly queryKey: readonly unknown[];
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<Data>;
}

/** Options of an infinite query, page after page by cursor. */
export interface InfiniteOptions<Data> {
  readonly queryKey: readonly unknown[];
  readonly queryFn: (context: { readonly signal: AbortSignal; readonly pageParam: string | undefined }) => Promise<Data>;
  readonly initialPageParam: string | undefined;
  readonly getNextPageParam: (page: Data) => string | undefined;
}
`;

const getTakes = ({ parameters }: MethodText): string[] =>
  parameters ? [`parameters: ${parameters.given}${parameters.isNeeded ? '' : ' = {}'}`] : [];

function printQuery(name: string, text: MethodText, property: string): string[] {
  const { method, generic, parameters, result } = text;
  const takes = getTakes(text);
  const given = parameters ? 'parameters, ' : '';
  const overload =
    method.row && method.action === 'detail'
      ? toOverload(method, method.row, { type: parameters?.name ?? '', takes })
      : [];
  const call = `this.#client.${property}.${name}${method.row ? '<F>' : ''}`;
  return [
    '',
    ...toComment(`Query options of ${method.operation.id}.`, '  '),
    ...overload.map((line) => line.replace('): Promise<', '): QueryOptions<')),
    `  ${name}${generic}(${takes.join(', ')}): QueryOptions<${result}> {`,
    '    return {',
    `      queryKey: [${toLiteral(property)}, ${toLiteral(name)}${parameters ? ', parameters' : ''}],`,
    `      queryFn: ({ signal }) => ${call}(${given}{ signal }),`,
    '    };',
    '  }',
  ];
}

function printInfinite(name: string, text: MethodText, property: string): string[] {
  const { method, generic, result } = text;
  if (method.action !== 'search' || !method.operation.parameters.some((parameter) => parameter.name === 'after'))
    return [];
  const call = `this.#client.${property}.${name}${method.row ? '<F>' : ''}`;
  return [
    '',
    ...toComment(`The same for an infinite query: pages by cursor.`, '  '),
    `  ${name}Infinite${generic}(${getTakes(text).join(', ')}): InfiniteOptions<${result}> {`,
    '    return {',
    `      queryKey: [${toLiteral(property)}, ${toLiteral(name)}, 'infinite', parameters],`,
    '      queryFn: ({ signal, pageParam }) =>',
    `        ${call}(pageParam === undefined ? parameters : { ...parameters, after: pageParam }, { signal }),`,
    '      initialPageParam: undefined,',
    '      getNextPageParam: (page) => page.next,',
    '    };',
    '  }',
  ];
}

function printGroup({ operations, property, className }: Group, book: TypeBook): string[] {
  const names = toMethodNames(operations);
  const reads = operations.filter(({ method }) => method === 'GET');
  if (reads.length === 0) return [];
  const own = className.replace(/Group$/, 'Queries');
  const methods = reads.flatMap((operation) => {
    const name = names.get(operation) ?? '';
    const text = toMethodText(operation, name, book);
    return [...printQuery(name, text, property), ...printInfinite(name, text, property)];
  });
  return [
    `class ${own} {`,
    '  readonly #client: Client;',
    '',
    '  constructor(client: Client) {',
    '    this.#client = client;',
    '  }',
    ...methods,
    '}',
    '',
    ...toComment(`Query options of the calls of ${property}.`),
    `export const ${property}Queries = (client: Client): ${own} => new ${own}(client);`,
    '',
  ];
}

/**
 * Query options of every call that reads, as a file beside the client's.
 *
 * @param client Text of the client, which declares the types.
 */
export function printQueryFile(groups: readonly Group[], book: TypeBook, client: string): string {
  const text = [OPTIONS, ...groups.flatMap((group) => printGroup(group, book))].join('\n');
  const declared = [...client.matchAll(/^export (?:interface|type|class) (\w+)/gm)].map(([, name = '']) => name);
  const words = new Set(text.match(/\w+/g));
  const used = declared.filter((name) => words.has(name) && !['QueryOptions', 'InfiniteOptions'].includes(name));
  return [HEAD, `import type { ${[...new Set(used)].sort().join(', ')} } from './index.ts';`, '', text].join('\n');
}
