import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../core/file/package-root.ts';
import { toList, toRecord } from '../../model/json/json-parts.ts';
import type { Json } from '../../model/json/value-schema.ts';
import type { Access } from '../../model/shape.ts';
import { listOperations, type Operation } from './call.ts';

/** A front end whose data provider is written: also the name of its template. */
export type FrontEnd = 'react-admin' | 'refine';

const HEAD = `// Written by "treadle client" from the API's own document: change that, and write it again.
// One file without dependencies.
`;

const ACTIONS = ['search', 'detail', 'create', 'update', 'remove'] as const;
type ProviderAction = (typeof ACTIONS)[number];

/** The primary key of a group's rows: the first column that its answers always have. */
function findKey(tag: string, document: Json): string {
  const columns = toRecord(toRecord(toRecord(document.components).schemas)[`${tag}-columns`]);
  return String(toList(columns.required)[0] ?? `${tag.replace(/-/g, '_')}_id`);
}

/** A path with `{id}` for the row. A call that names it in the query has it there. */
function toPath({ path, parameters }: Operation, key: string): string {
  const isInQuery = parameters.some(
    (parameter) => parameter.in === 'query' && parameter.name === key && parameter.required === true,
  );
  return isInQuery ? `${path}?${key}={id}` : path.replace(`{${key}}`, '{id}');
}

/** Columns of a JSON body. */
function listColumns({ body }: Operation): string[] {
  const content = toRecord(body.content);
  const json = toRecord(content[Object.keys(content).find((type) => type.endsWith('json')) ?? '']);
  return Object.keys(toRecord(toRecord(json.schema).properties));
}

function toWrite(operation: Operation, key: string): Json {
  return {
    method: operation.method,
    path: toPath(operation, key),
    columns: listColumns(operation),
    needsVersion: operation.parameters.some(({ name, required }) => name === 'If-Match' && required === true),
  };
}

function toMost({ parameters }: Operation): Json {
  const { maximum } = toRecord(parameters.find(({ name }) => name === 'limit')?.schema);
  return typeof maximum === 'number' ? { most: maximum } : {};
}

/** A call of each action: the first, as a document has them in the order of their names. */
function toResource(operations: readonly Operation[], tag: string, document: Json): Json {
  const key = findKey(tag, document);
  const first = new Map<ProviderAction, Operation>();
  for (const operation of operations) {
    const action = ACTIONS.find((name) => name === operation.definition['x-treadle-action']);
    const needsOther = /\{(?!id\})/.test(toPath(operation, key));
    if (action !== undefined && !first.has(action) && !needsOther) first.set(action, operation);
  }
  const entries = [...first].map(([action, operation]): readonly [string, unknown] =>
    action === 'search' || action === 'detail' ? [action, toPath(operation, key)] : [action, toWrite(operation, key)],
  );
  const search = first.get('search');
  return { key, ...(search ? toMost(search) : {}), ...Object.fromEntries(entries) };
}

/** The call that takes one file as a form, with the form's field. */
function findUpload(operations: readonly Operation[]): Json | undefined {
  for (const { body, path } of operations) {
    const content = toRecord(body.content);
    const { schema } = toRecord(content['multipart/form-data']);
    const [field] = Object.keys(toRecord(toRecord(schema).properties));
    if (Object.keys(content).length === 1 && field !== undefined) return { path, field };
  }
  return undefined;
}

/**
 * A data provider for a front end, with the calls of one access. The same document gives the same bytes.
 *
 * @param baseUrl URL of the API; undefined leaves it to the user of the provider.
 */
export function printProvider(document: Json, frontEnd: FrontEnd, access: Access, baseUrl: string | undefined): string {
  const operations = listOperations(document).filter(({ definition }) => definition['x-treadle-access'] === access);
  const tags = [...new Set(operations.map(({ tag }) => tag))].sort();
  const resources = tags
    .map(
      (tag) =>
        [
          tag,
          toResource(
            operations.filter((operation) => operation.tag === tag),
            tag,
            document,
          ),
        ] as const,
    )
    .filter(([, resource]) => ACTIONS.some((action) => action in resource));
  const upload = findUpload(operations);
  const read = (name: string): string => readFileSync(join(packageRoot, 'templates', 'client', `${name}.ts`), 'utf8');
  return [
    HEAD,
    `const ACCESS: 'public' | 'app' | 'user' = ${JSON.stringify(access)};`,
    `const BASE_URL: string = ${JSON.stringify(baseUrl ?? '')};`,
    `const UPLOAD: { readonly path: string; readonly field: string } | undefined = ${JSON.stringify(upload) ?? 'undefined'};`,
    '/** The schemas with calls of that access. */',
    `const RESOURCES: Readonly<Record<string, Resource | undefined>> = ${JSON.stringify(Object.fromEntries(resources), null, 2)};`,
    '',
    read('provider'),
    read(frontEnd),
  ].join('\n');
}
