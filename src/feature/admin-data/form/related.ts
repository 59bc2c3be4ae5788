import { getAccess } from '../../../core/access.ts';
import { toLocalText } from '../../../core/text/translate.ts';
import type { Row } from '../../../database/row-statement.ts';
import type { RelationModel, SchemaModel } from '../../../model/model.ts';
import { toLabelText } from '../../../model/names.ts';
import { mayOpen } from '../../../page/guard.ts';
import type { Context } from '../../../plan/feature.ts';
import { isList } from '../../../store/read/source/related.ts';
import { toDataPath } from '../offer.ts';
import { type Choice, readChoice, toChoice, toRowPath } from './choice.ts';
import { emitModel, type OpenRow } from './open.ts';
import { findCreatePath, listLinks, toKeyText } from './picker.ts';

/** Rows of a relation on a detail page. */
const SHOWN_ROWS = 10;

/** The rows that are related to a row by one relation. */
export interface RelatedView {
  readonly id: string;
  readonly title: string;
  readonly total: number;
  readonly rows: readonly (Choice & { readonly path: string; readonly unlinkPath: string | undefined })[];
  readonly more: number;
  readonly linkPath: string | undefined;
  readonly createPath: string | undefined;
  readonly allPath: string | undefined;
}

/** A list of related rows: the relation, the other schema, and the column that holds this row's id. */
interface Way {
  readonly relation: RelationModel;
  readonly other: SchemaModel;
  /** Column of the other schema, or of the join table. */
  readonly column: string;
  readonly isBack: boolean;
}

/** The relations of a schema that lead to several rows, then those by which other rows refer to it. */
function listWays({ plan }: Context, schema: SchemaModel): Way[] {
  const { schemas } = plan.model;
  const forward = schema.relations.filter(isList).flatMap((relation): Way[] => {
    const other = schemas.get(relation.target);
    return other ? [{ relation, other, column: relation.sourceColumn ?? '', isBack: false }] : [];
  });
  const back = schema.reverse
    .filter(({ kind }) => kind !== '1:N')
    .flatMap((relation): Way[] => {
      const other = schemas.get(relation.source);
      return other ? [{ relation, other, column: relation.targetColumn ?? '', isBack: true }] : [];
    });
  return [...forward, ...back];
}

const mayLink = (source: string): boolean => getAccess().grant(source, 'link') !== undefined;

function toPaths(open: OpenRow, { relation, other, isBack, column }: Way) {
  const { context, schema, id } = open;
  const base = `${toDataPath(schema.name)}/${id}`;
  const query = relation.name === relation.target ? '' : `?relation=${encodeURIComponent(relation.name)}`;
  // Of rows of one schema, the page of the row that declares the link changes it.
  const isLinked = (isBack ? relation.kind === 'N:N' && other !== schema : true) && mayLink(relation.source);
  const linkPath = `${base}/link/${other.name}${query}`;
  const create = relation.kind === 'N:N' ? undefined : findCreatePath(context, other);
  return {
    linkPath: isLinked && mayOpen(context, linkPath, 'POST') ? linkPath : undefined,
    createPath: create === undefined ? undefined : `${create}?${column}=${id}`,
    allPath:
      relation.kind === 'N:N' || other === schema
        ? undefined
        : `${toDataPath(other.name)}/search?filter[${column}]=${id}`,
    toUnlink: (to: number): string | undefined => (isLinked ? `${base}/unlink/${other.name}/${to}${query}` : undefined),
  };
}

async function findRelated(open: OpenRow, way: Way): Promise<RelatedView | undefined> {
  const { context, id } = open;
  const { relation, other, column, isBack } = way;
  if (getAccess().grant(other.name, 'search') === undefined) return undefined;
  const stage = { schema: other.name, filter: { [column]: id }, limit: SHOWN_ROWS, sort: `-${other.primary}` };
  const response = await emitModel(context, 'system-model-search', stage);
  if (response.isError()) return undefined;
  const rows = (response.getResults('rows') ?? []) as Row[];
  const total = Number(response.getResults('total') ?? rows.length);
  const { linkPath, createPath, allPath, toUnlink } = toPaths(open, way);
  const isNamed = relation.name !== relation.target;
  return {
    id: `t-related-${relation.source}-${relation.name}${isBack ? '-back' : ''}`,
    title: isNamed
      ? `${toLocalText(other.plural)} (${toLocalText(toLabelText(relation.name))})`
      : toLocalText(other.plural),
    total,
    rows: rows.map((row) => {
      const choice = toChoice(other, row);
      return { ...choice, path: toRowPath(other, choice.id), unlinkPath: toUnlink(choice.id) };
    }),
    more: Math.max(0, total - rows.length),
    linkPath,
    createPath,
    allPath,
  };
}

/** Rows that this row refers to, with their labels. */
export function listReferred(
  open: OpenRow,
): Promise<{ readonly label: string; readonly path: string; readonly text: string }[]> {
  const { context, schema, row } = open;
  const links = listLinks(context, schema).filter(({ key }) => toKeyText(row[key.column]) !== '');
  return Promise.all(
    links.map(async ({ key, target, label }) => {
      const choice = await readChoice(context, target, Number(row[key.column]));
      return { label, path: toRowPath(target, choice.id), text: choice.label };
    }),
  );
}

/** The lists of related rows, and of the rows that refer to this one. */
export async function listRelated(
  open: OpenRow,
): Promise<{ readonly lists: RelatedView[]; readonly referring: RelatedView[] }> {
  const ways = listWays(open.context, open.schema);
  const views = await Promise.all(ways.map((way) => findRelated(open, way)));
  const pick = (isBack: boolean): RelatedView[] =>
    views.filter((view, index): view is RelatedView => view !== undefined && ways[index]?.isBack === isBack);
  return { lists: pick(false), referring: pick(true) };
}
