import { asSystem, getAccess } from '../../../core/access.ts';
import { toLocalText, translate } from '../../../core/text/translate.ts';
import type { Row } from '../../../database/row-statement.ts';
import type { SchemaModel } from '../../../model/model.ts';
import { readResults } from '../../../page/emit-event.ts';
import { mayOpen } from '../../../page/guard.ts';
import { listNavigation } from '../../../page/navigation.ts';
import { toRowLabel } from '../../../page/row-label.ts';
import type { Context } from '../../../plan/feature.ts';

/** A page to go to. */
export interface Place {
  readonly label: string;
  readonly path: string;
  /** What kind of page it is, such as the plural of a schema. */
  readonly kind: string;
}

/** Places of one kind that are shown. */
const MOST = 5;
/** Schemas whose rows are searched for one text. */
const MOST_SCHEMAS = 20;
const MODEL = '/admin/system/model';

const fold = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** True if every word of the text begins a word of the label, or is in it. */
function matches(label: string, words: readonly string[]): boolean {
  const folded = fold(label);
  return words.every((word) => folded.includes(word));
}

function listPages({ plan }: Context): Place[] {
  const pages = listNavigation(plan.model).flatMap(({ label, entries }) =>
    entries.map((entry) => ({ label: entry.label, path: entry.path, kind: label === '' ? translate('Page') : label })),
  );
  const creates = [...plan.model.schemas.values()].map(({ name, singular }) => ({
    label: translate('New {singular}', { singular }),
    path: `${MODEL}/${name}/create`,
    kind: translate('Data'),
  }));
  return [...pages, ...creates];
}

/** The pages of single definitions, by kind. */
function listDefinitions({ plan }: Context): Place[] {
  const { schemas, fieldsets, calls, scopes, hooks, apps, roles } = plan.model;
  const toPlaces = (names: Iterable<string>, base: string, kind: string): Place[] =>
    [...names].map((label) => ({ label, path: `${base}/update/${label}`, kind }));
  return [
    ...toPlaces(schemas.keys(), '/admin/system/schema', translate('Schema')),
    ...toPlaces(fieldsets.keys(), '/admin/system/fieldset', translate('Field set')),
    ...toPlaces(calls.keys(), `${MODEL}/rest`, translate('REST call')),
    ...toPlaces(scopes.keys(), `${MODEL}/scope`, translate('Scope')),
    ...toPlaces(hooks.keys(), `${MODEL}/webhook`, translate('Web hook')),
    ...toPlaces(apps.keys(), `${MODEL}/app`, translate('App')),
    ...toPlaces(roles.keys(), `${MODEL}/role`, translate('Role')),
  ];
}

/** Rows of a schema that have the words, or the id. Rules of the viewer apply. */
async function findRows(context: Context, schema: SchemaModel, text: string): Promise<Place[]> {
  const toPath = (id: unknown): string => `${MODEL}/${schema.name}/detail/${id}`;
  if (!mayOpen(context, toPath(1)) || getAccess().grant(schema.name, 'search') === undefined) return [];
  if (!schema.columns.some(({ isSearchable }) => isSearchable)) return [];
  const stage = { schema: schema.name, q: text, limit: MOST, total: 0 };
  const found = await readResults(context, 'system-model-search', stage);
  return ((found?.rows ?? []) as readonly Row[]).map((row) => ({
    label: toRowLabel(schema, row),
    path: toPath(row[schema.primary]),
    kind: toLocalText(schema.singular),
  }));
}

async function findPeople(context: Context, text: string): Promise<Place[]> {
  if (!mayOpen(context, '/admin/user/search') || !mayOpen(context, '/admin/user/detail/1')) return [];
  const found = await asSystem(() => readResults(context, 'auth-search', { q: text, limit: MOST }));
  return ((found?.rows ?? []) as readonly Row[]).map((row) => ({
    label: `${row.profile_name ?? ''} ${row.auth_slug}`.trim(),
    path: `/admin/user/detail/${row.auth_id}`,
    kind: translate('Person'),
  }));
}

/** The row that a text such as `article 12` names. */
function findNamed({ plan }: Context, text: string): Place[] {
  const [, name = '', id = ''] = /^(.+?)\s+#?(\d{1,15})$/.exec(text) ?? [];
  const folded = fold(name);
  const schema = [...plan.model.schemas.values()].find((each) =>
    [each.name, each.singular, each.plural].some((label) => fold(label) === folded),
  );
  return schema
    ? [
        {
          label: `${toLocalText(schema.singular)} ${id}`,
          path: `${MODEL}/${schema.name}/detail/${id}`,
          kind: toLocalText(schema.singular),
        },
      ]
    : [];
}

/** Places for a text: pages, definitions, people and rows, as far as the viewer may open them. */
export async function findPlaces(context: Context, text: string): Promise<Place[]> {
  const words = fold(text).split(/\s+/).filter(Boolean);
  const opens = ({ path }: Place): boolean => mayOpen(context, path);
  const pages = listPages(context).filter((place) => matches(`${place.kind} ${place.label}`, words) && opens(place));
  if (words.length === 0) return pages;
  const definitions = listDefinitions(context).filter(
    (place) => matches(`${place.kind} ${place.label}`, words) && opens(place),
  );
  const schemas = [...context.plan.model.schemas.values()].slice(0, MOST_SCHEMAS);
  const rows = await Promise.all(schemas.map((schema) => findRows(context, schema, text)));
  const people = await findPeople(context, text);
  return [
    ...findNamed(context, text).filter(opens),
    ...pages.slice(0, 2 * MOST),
    ...people,
    ...rows.flat(),
    ...definitions.slice(0, 2 * MOST),
  ];
}
