import type { Access } from '../../../core/access.ts';
import { toDidYouMean } from '../../../core/text/suggest.ts';
import { listNames } from '../../../model/filter/operand.ts';
import type { RelationModel } from '../../../model/model.ts';
import { EXPAND_ROWS, isList } from '../source/related.ts';
import type { Source } from '../source/source.ts';
import type { View } from '../source/view.ts';
import { type Branch, isBranch, listBranchNames, parseBranch } from './branch.ts';
import { describeColumn, type ErrorsByParameter, isGiven } from './draft.ts';
import type { Expansion, RowContent } from './expansion.ts';

/** Most relations one after the other: `comment.reaction.profile`. */
export const MOST_LEVELS = 3;

/** Gives the source of a related schema as the caller sees it. */
export interface ExpandOptions {
  readonly toSource: (schema: string, view?: View) => Source;
  readonly see: Access['related'];
}

/** The rows of one level: those of the search, or those of a relation below them. */
interface Level {
  readonly source: Source;
  /** The relations to it, joined by dots; empty for the searched rows. */
  readonly path: string;
  readonly relation: RelationModel | undefined;
  readonly inner: Map<string, Level>;
  /** Names of the expanded 1:1 relations, whose columns its rows have anyway. */
  readonly joined: Set<string>;
  /** Those of which `fields` picks columns. */
  readonly narrowed: Set<string>;
  /** Names of the columns that `fields` picks; empty: all. */
  readonly picked: string[];
}

function createLevel(source: Source, path = '', relation?: RelationModel): Level {
  return { source, path, relation, inner: new Map(), joined: new Set(), narrowed: new Set(), picked: [] };
}

const join = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

/** Splits a name at its first dot. */
function split(name: string): [string, string | undefined] {
  const dot = name.indexOf('.');
  return dot < 0 ? [name, undefined] : [name.slice(0, dot), name.slice(dot + 1)];
}

function findTarget({ target }: RelationModel, { toSource, see }: ExpandOptions): Source {
  if (see === undefined) return toSource(target);
  const { read, sure } = see(target) ?? {};
  return toSource(target, { read, sure, see });
}

/** Adds one name of `expand` with all relations on its way. @returns why it cannot be expanded. */
function addPath(level: Level, name: string, options: ExpandOptions): string | undefined {
  const { source, path } = level;
  const [head, rest] = split(name);
  const shown = join(path, name).slice(0, 64);
  const relation = source.relations.get(head);
  if (relation !== undefined) {
    const whole = join(path, head);
    if (rest !== undefined && whole.split('.').length === MOST_LEVELS)
      return `"${shown}" has too many levels: "expand" takes ${MOST_LEVELS} relations one after the other.`;
    const next = level.inner.get(head) ?? createLevel(findTarget(relation, options), whole, relation);
    level.inner.set(head, next);
    return rest === undefined ? undefined : addPath(next, rest, options);
  }
  if (!source.schema.relations.some((other) => other.name === head)) {
    const known = [...source.relations.keys(), ...(path === '' ? listBranchNames(source.schema) : [])];
    return `"${shown}" is not a relation of ${source.schema.name}. ${toDidYouMean(head, known)}`;
  }
  level.joined.add(head);
  if (rest === undefined) return undefined;
  return `"${shown}" cannot be expanded: "${join(path, head)}" is 1:1, and its columns are in the row itself. Search "${head}" for its relations.`;
}

/** Adds a column of an expanded 1:1 relation, which is a column of the row itself. */
function addFlat(level: Level, relation: string, column: string): string | undefined {
  const { source, path, picked, narrowed } = level;
  const flat = source.schema.row.flat.filter(
    (other) => other.relation.name === relation && source.columns.has(other.name),
  );
  const found = flat.find((other) => other.column === column);
  if (found === undefined) {
    const known = flat.map((other) => join(path, `${relation}.${other.column}`));
    const shown = join(path, `${relation}.${column}`);
    return `"${shown.slice(0, 64)}" is not shown. ${toDidYouMean(shown, known)}`;
  }
  narrowed.add(relation);
  picked.push(found.name);
  return undefined;
}

/** Adds one name of `fields` to the level that it is of. @returns why no row shows it. */
function addField(level: Level, name: string): string | undefined {
  const { source, path, inner, joined, picked } = level;
  const [head, rest] = split(name);
  if (source.columns.has(name)) {
    picked.push(name);
    return undefined;
  }
  const next = rest === undefined ? undefined : inner.get(head);
  if (rest !== undefined && next !== undefined) return addField(next, rest);
  if (rest === undefined || !source.schema.relations.some((other) => other.name === head))
    return describeColumn(name, source, source.columns, 'shown');
  if (joined.has(head)) return addFlat(level, head, rest);
  const relation = join(path, head).slice(0, 64);
  return `"${join(path, name).slice(0, 64)}" is of "${relation}", which is not expanded. Add "${relation}" to "expand".`;
}

/** Adds the names of `expand`; gives the parts of trees among them. */
function addPaths(
  root: Level,
  names: readonly string[],
  options: ExpandOptions,
): Branch[] | { readonly error: string } {
  const branches = new Map<string, Branch>();
  const { schema, relations } = root.source;
  for (const name of names) {
    const isRelation = relations.has(name) || schema.relations.some((other) => other.name === name);
    const branch = isRelation ? undefined : parseBranch(name, schema);
    if (isBranch(branch)) branches.set(branch.key, branch);
    const error = branch === undefined ? addPath(root, name, options) : 'error' in branch ? branch.error : undefined;
    if (error !== undefined) return { error };
  }
  return [...branches.values()];
}

/** The columns that a level shows: those that are picked, and of 1:1 relations without one all; the key always. */
function listShown({ source, picked, joined, narrowed }: Level): readonly string[] {
  const flat = source.schema.row.flat.filter(
    ({ name, relation }) => joined.has(relation.name) && !narrowed.has(relation.name) && source.columns.has(name),
  );
  return [...new Set([source.primary.name, ...picked, ...flat.map(({ name }) => name)])];
}

const listExpansions = (level: Level): Expansion[] =>
  [...level.inner.values()].flatMap((inner) => {
    const fields = inner.picked.length === 0 ? undefined : listShown(inner);
    return inner.relation === undefined ? [] : { relation: inner.relation, fields, inner: listExpansions(inner) };
  });

/** Maximum related rows of one row. */
const estimateCost = (expand: readonly Expansion[]): number =>
  expand.reduce(
    (sum, { relation, inner }) => sum + (isList(relation) ? EXPAND_ROWS : 1) * (1 + estimateCost(inner)),
    0,
  );

const listPaths = ({ path, inner }: Level): string[] => [
  ...(path === '' ? [] : [path]),
  ...[...inner.values()].flatMap(listPaths),
];

type Input = Readonly<Record<string, unknown>>;

/** The rows of a page, and the related rows that it may bring. */
interface Room {
  readonly limit: number;
  readonly expandRows: number;
}

function findRoomError(root: Level, { limit, expandRows }: Room): string | undefined {
  const cost = estimateCost(listExpansions(root));
  if (cost * limit <= expandRows) return undefined;
  const names = listPaths(root).join(', ');
  const most = Math.floor(expandRows / cost);
  const remedy = most > 0 ? `Lower "limit" to ${most} or expand fewer relations.` : 'Expand fewer relations.';
  return `"expand" of ${names} on ${limit} rows may bring ${cost * limit} rows, and ${expandRows} are allowed (limits.expandRows). ${remedy}`;
}

/** The rows as they are. */
export const WHOLE: RowContent = { fields: undefined, expand: [], branches: [] };

/** Parses `expand` and `fields`. Refuses what could bring more related rows than the settings allow. */
export function parseContent(
  input: Input,
  source: Source,
  options: ExpandOptions & { readonly room: Room },
  errors: ErrorsByParameter,
): RowContent {
  if (!isGiven(input.expand) && !isGiven(input.fields) && !isGiven(input.columns)) return WHOLE;
  const root = createLevel(source);
  const found = isGiven(input.expand) ? addPaths(root, listNames(input.expand), options) : [];
  const parameter = isGiven(input.fields) ? 'fields' : 'columns';
  const names = isGiven(input[parameter]) ? listNames(input[parameter]) : undefined;
  for (const name of names ?? []) {
    // Where `expand` is wrong its relations are unknown.
    if ('error' in found && name.includes('.')) continue;
    const error = addField(root, name);
    if (error === undefined) continue;
    errors[parameter] = error;
    break;
  }
  const error = 'error' in found ? found.error : findRoomError(root, options.room);
  if (error !== undefined) errors.expand = error;
  const isWhole = names === undefined || (names.length > 0 && root.picked.length === 0);
  const fields = isWhole ? undefined : listShown(root).flatMap((name) => source.columns.get(name) ?? []);
  return { fields, expand: listExpansions(root), branches: 'error' in found ? [] : found };
}

/** What `fields` and `expand` of a detail ask for. */
export interface DetailContent {
  /** Names of columns and relations; undefined: all. */
  readonly fields: readonly string[] | undefined;
  /** Names of the relations to read; undefined: all. */
  readonly relations: readonly string[] | undefined;
  /** Names of the 1:1 relations of which all columns are shown. */
  readonly joined: ReadonlySet<string>;
  /** What is added to related rows, or left out of them. */
  readonly expand: readonly Expansion[];
  readonly branches: readonly Branch[];
}

/** Without `expand` the relations that `fields` names are expanded, as a detail has all of them. */
function addHeads(root: Level, names: readonly string[], options: ExpandOptions): string[] {
  const { schema, relations } = root.source;
  const heads = names.map((name) => split(name)[0]);
  const known = heads.filter((head) => schema.relations.some(({ name }) => name === head));
  for (const head of known) addPath(root, head, options);
  return [...new Set(known.filter((head) => relations.has(head)))];
}

/** Parses `fields` and `expand` of a detail. A relation that both leave out is not read. */
export function parseDetailContent(
  { fields: names, expand: paths }: Readonly<Record<'fields' | 'expand', readonly string[] | undefined>>,
  source: Source,
  options: ExpandOptions,
  errors: ErrorsByParameter,
): DetailContent {
  const root = createLevel(source);
  const plain = names?.filter((name) => !name.includes('.')) ?? [];
  const known = [...source.columns.keys(), ...source.relations.keys()];
  const unknown = plain.find((name) => !known.includes(name));
  if (unknown !== undefined)
    errors.fields = `"${unknown.slice(0, 64)}" does not exist. ${toDidYouMean(unknown, known)}`;
  const branches = paths === undefined ? [] : addPaths(root, paths, options);
  const heads = paths === undefined ? names && addHeads(root, names, options) : undefined;
  if ('error' in branches) errors.expand = branches.error;
  else for (const name of names ?? []) if (name.includes('.')) addDotted(root, name, errors);
  const isWhole = names === undefined || (plain.length === 0 && root.picked.length === 0);
  const joined = new Set([...root.joined].filter((name) => !root.narrowed.has(name)));
  return {
    fields: isWhole ? undefined : [...plain, ...root.picked],
    relations: paths === undefined ? heads : [...root.inner.keys()],
    joined,
    expand: listExpansions(root).filter(({ fields, inner }) => fields !== undefined || inner.length > 0),
    branches: 'error' in branches ? [] : branches,
  };
}

function addDotted(root: Level, name: string, errors: ErrorsByParameter): void {
  const error = addField(root, name);
  if (error !== undefined) errors.fields ??= error;
}

/** Maximum related rows that `expand` may bring with one row of a search by code. Names that are wrong count nothing. */
export function estimateExpand(names: readonly string[], source: Source, options: ExpandOptions): number {
  const root = createLevel(source);
  for (const name of names) addPath(root, name, options);
  return estimateCost(listExpansions(root));
}
