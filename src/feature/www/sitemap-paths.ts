import { toPersonAccess } from '../../access/grant.ts';
import { mayOpenPath } from '../../access/guard.ts';
import { type Access, runAs } from '../../core/access.ts';
import { memoize } from '../../core/memoize.ts';
import type { Row } from '../../database/row-statement.ts';
import type { Model, SchemaModel } from '../../model/model.ts';
import { type PagePath, parsePagePath, toPagePath } from '../../model/page-path.ts';
import { readResults } from '../../page/emit-event.ts';
import type { Context } from '../../plan/feature.ts';

/** Ids of a part: with all of them there, it is small enough for the cache of pages. */
const PART_IDS = 2500;
/** Most parts of a schema, so that ids far apart make no endless index. */
const MOST_PARTS = 5000;

/** A schema of which each row has a public page. */
interface PageSchema {
  readonly schema: SchemaModel;
  readonly path: PagePath;
}

/** A page for the sitemap. */
export interface SitemapEntry {
  readonly path: string;
  /** When it changed, `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly changed?: string;
}

/** The schemas with `page`, by name. */
const listPageSchemas = memoize(({ schemas }: Model): ReadonlyMap<string, PageSchema> => {
  const found = [...schemas.values()].flatMap((schema): [string, PageSchema][] => {
    const path = schema.definition.page === undefined ? undefined : parsePagePath(schema.definition.page);
    return path === undefined ? [] : [[schema.name, { schema, path }]];
  });
  return new Map(found);
});

/** Whether the site has a sitemap. */
export const hasSitemap = ({ plan: { model } }: Context): boolean =>
  model.settings.sitemap.length > 0 || listPageSchemas(model).size > 0;

/**
 * Who the sitemap is for: a visitor who is not logged in, whoever asks. An administrator's rows must not get into an answer
 * that is kept for everybody.
 */
const toVisitor = (context: Context): Access => toPersonAccess(context, undefined);

/** Columns of a schema that a visitor sees in every row; undefined if it sees no rows, or not those of the path. */
function findColumns({ schema, path }: PageSchema, visitor: Access): string[] | undefined {
  const grant = visitor.grant(schema.name, 'search');
  if (grant === undefined || visitor.grant(schema.name, 'detail') === undefined) return undefined;
  const isKey = (name: string): boolean => schema.byName.get(name) === undefined;
  const readable = grant.sure ?? grant.read;
  const isShown = (name: string): boolean => isKey(name) || readable === undefined || readable.has(name);
  if (!path.columns.every(isShown)) return undefined;
  const times = [schema.updated, schema.created].filter((name) => name !== undefined && isShown(name));
  return [...new Set([schema.primary, ...path.columns, ...times])] as string[];
}

/** The rows of a schema that a search finds. */
async function readRows(context: Context, name: string, search: Row): Promise<readonly Row[]> {
  const found = await readResults<{ readonly rows?: readonly Row[] }>(context, 'system-model-search', {
    schema: name,
    total: 0,
    ...search,
  });
  return found?.rows ?? [];
}

/** Numbers of the parts of a schema that have rows, from 0: part `n` has the ids from `n` times {@link PART_IDS}. */
async function listPartsOf(context: Context, { schema }: PageSchema): Promise<number[]> {
  const { primary } = schema;
  const parts: number[] = [];
  for (let from = 0; parts.length < MOST_PARTS; ) {
    const filter = { [primary]: { gte: from } };
    const [row] = await readRows(context, schema.name, { filter, sort: primary, limit: 1, fields: [primary] });
    if (row === undefined) break;
    const part = Math.floor(Number(row[primary]) / PART_IDS);
    parts.push(part);
    from = (part + 1) * PART_IDS;
  }
  return parts;
}

/** The parts of the sitemap that have rows. */
export async function listParts(context: Context): Promise<{ readonly schema: string; readonly part: number }[]> {
  const visitor = toVisitor(context);
  return runAs(visitor, async () => {
    const all: { schema: string; part: number }[] = [];
    for (const [name, page] of listPageSchemas(context.plan.model)) {
      if (findColumns(page, visitor) === undefined) continue;
      for (const part of await listPartsOf(context, page)) all.push({ schema: name, part });
    }
    return all;
  });
}

function toChanged({ updated, created }: SchemaModel, row: Row): string | undefined {
  const time = row[updated ?? ''] ?? row[created ?? ''];
  const stamp = String(time ?? '');
  return /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/.test(stamp) ? `${stamp.replace(' ', 'T')}Z` : undefined;
}

/** The pages of a part; undefined if there is no such schema, or a visitor sees none of its rows. */
export async function listEntries(context: Context, name: string, part: number): Promise<SitemapEntry[] | undefined> {
  const { model } = context.plan;
  const page = listPageSchemas(model).get(name);
  const visitor = toVisitor(context);
  const columns = page && findColumns(page, visitor);
  if (page === undefined || columns === undefined) return undefined;
  const { schema, path } = page;
  const filter = { [schema.primary]: { gte: part * PART_IDS, lt: (part + 1) * PART_IDS } };
  const search = { filter, sort: schema.primary, limit: PART_IDS, fields: columns };
  const rows = await runAs(visitor, () => readRows(context, name, search));
  return rows.flatMap((row): SitemapEntry[] => {
    const found = toPagePath(path, row);
    if (found === undefined || !mayOpenPath(model, found, 'GET', visitor)) return [];
    const changed = toChanged(schema, row);
    return [{ path: found, ...(changed === undefined ? {} : { changed }) }];
  });
}

/** A path as an address has it: percent-encoded, but for what is so already. */
const toAddress = (path: string): string => new URL(path, 'http://x').pathname;

/** The pages that the settings name, without those that roles guard. */
export function listOwnPages(context: Context): SitemapEntry[] {
  const { model } = context.plan;
  const visitor = toVisitor(context);
  return model.settings.sitemap
    .filter((path) => mayOpenPath(model, path, 'GET', visitor))
    .map((path) => ({ path: toAddress(path) }));
}
