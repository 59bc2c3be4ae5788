import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../core/file/package-root.ts';
import { toRecord } from '../../model/json/json-parts.ts';
import type { Json } from '../../model/json/value-schema.ts';
import { toComment, toLiteral, toUnion } from '../types/print.ts';
import { listOperations, printMethod, toMethodNames } from './call.ts';
import { type Group, toGroups } from './group.ts';
import { toTypeBook } from './row.ts';

const HEAD = `// Written by "treadle client" from the API's own document: change that, and write it again.
// One file without dependencies, for browsers and for Node 20 or later.
`;

/** Slugs of every scope in the document's flows. */
function listScopes(document: Json): string[] {
  const schemes = toRecord(toRecord(document.components).securitySchemes);
  const flows = Object.values(toRecord(toRecord(schemes.oauth2).flows));
  return [...new Set(flows.flatMap((flow) => Object.keys(toRecord(toRecord(flow).scopes))))].sort();
}

function printClient(groups: readonly Group[], baseUrl: string | undefined): string {
  const base = baseUrl === undefined ? '' : `Omit<ClientOptions, 'baseUrl'> & { readonly baseUrl?: string }`;
  const options = baseUrl === undefined ? 'options' : `{ baseUrl: ${toLiteral(baseUrl)}, ...options }`;
  return [
    '/** Every call of the API, grouped by schema. */',
    'export class Client {',
    '  readonly #transport: Transport;',
    '  /** The consent flow of a user. */',
    '  readonly oauth: OAuth;',
    ...groups.map(({ property, className }) => `  readonly ${property}: ${className};`),
    '',
    `  constructor(options: ${base === '' ? 'ClientOptions' : base}${base === '' ? '' : ' = {}'}) {`,
    `    this.#transport = new Transport(${options});`,
    '    this.oauth = new OAuth(this.#transport);',
    ...groups.map(({ property, className }) => `    this.${property} = new ${className}(this.#transport);`),
    '  }',
    '',
    '  /** The current tokens. */',
    '  get tokens(): Tokens | undefined {',
    '    return this.#transport.tokens;',
    '  }',
    '',
    '  /** Facts about the answer with these results: the ETag for `ifMatch`, the request’s id. */',
    '  factsOf(results: object): AnswerFacts | undefined {',
    '    return this.#transport.facts.get(results);',
    '  }',
    '}',
    '',
  ].join('\n');
}

/**
 * A client of an API as one TypeScript file, from its OpenAPI document. The same document gives the same bytes.
 *
 * @param baseUrl URL of the API; undefined leaves it to the user of the client.
 */
export function printClientFile(document: Json, baseUrl: string | undefined): string {
  const book = toTypeBook(document);
  const groups = toGroups(listOperations(document));
  const types: string[] = [];
  const classes = groups.map(({ className, operations, tag }) => {
    const names = toMethodNames(operations);
    const methods = operations.map((operation) => printMethod(operation, names.get(operation) ?? '', book));
    types.push(...methods.map((method) => method.types).filter((text) => text !== ''));
    return [
      ...toComment(`Calls of ${tag}.`),
      `class ${className} {`,
      '  readonly #transport: Transport;',
      '',
      '  constructor(transport: Transport) {',
      '    this.#transport = transport;',
      '  }',
      ...methods.flatMap(({ text }) => ['', text]),
      '}',
      '',
    ].join('\n');
  });
  const title = String(toRecord(document.info).title ?? 'API');
  const runtime = readFileSync(join(packageRoot, 'templates', 'client', 'runtime.ts'), 'utf8');
  return [
    HEAD,
    ...toComment(`Scopes of ${title}.`),
    `export type Scope = ${toUnion(listScopes(document))};`,
    '',
    book.text,
    ...types,
    runtime,
    ...classes,
    printClient(groups, baseUrl),
  ].join('\n');
}
