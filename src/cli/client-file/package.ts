import { toRecord } from '../../model/json/json-parts.ts';
import type { Json } from '../../model/json/value-schema.ts';
import { listOperations } from './call.ts';
import { printClientFile } from './file.ts';
import { toGroups } from './group.ts';
import { printQueryFile } from './query.ts';
import { toTypeBook } from './row.ts';

/** What a package of the client says about itself. */
export interface PackageFacts {
  readonly title: string;
  /** For a registry: small letters, digits and dashes. */
  readonly name: string;
  /** Three numbers, and what follows them. */
  readonly version: string;
}

export function toPackageFacts(document: Json): PackageFacts {
  const { title, version } = toRecord(document.info);
  const slug = String(title ?? 'API')
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  const isWhole = /^\d+\.\d+\.\d+(?:[-+][\w.+-]+)?$/.test(String(version));
  return {
    title: String(title ?? 'API'),
    name: `${slug === '' ? 'api' : slug}-client`,
    version: isWhole ? String(version) : '1.0.0',
  };
}

const toReadme = ({ title, name }: PackageFacts): string => `# ${name}

A client of the ${title}, written by \`treadle client\`. Do not change it by hand: write it again.

It is TypeScript (ES modules) without dependencies, for bundlers, for \`tsx\`, and for what else runs TypeScript.

\`\`\`ts
import { Client, isApiError } from '${name}';
import * as queries from '${name}/query';

const client = new Client({ baseUrl: 'https://example.org', token });
\`\`\`

- \`index.ts\`: a method for each call, the types of rows, filters and errors, uploads, retries, paging, OAuth.
- \`query.ts\`: query options for TanStack Query 5, which it does not import.
`;

/** The client as a package: path to text. The same document gives the same bytes. */
export function printClientPackage(document: Json, baseUrl: string | undefined): Map<string, string> {
  const facts = toPackageFacts(document);
  const client = printClientFile(document, baseUrl);
  const manifest = {
    name: facts.name,
    version: facts.version,
    private: true,
    description: `A client of the ${facts.title}.`,
    type: 'module',
    sideEffects: false,
    exports: { '.': './index.ts', './query': './query.ts', './package.json': './package.json' },
  };
  return new Map([
    ['README.md', toReadme(facts)],
    ['index.ts', client],
    ['package.json', `${JSON.stringify(manifest, null, 2)}\n`],
    ['query.ts', printQueryFile(toGroups(listOperations(document)), toTypeBook(document), client)],
  ]);
}
