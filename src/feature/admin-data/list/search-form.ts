import { BoundedMap } from '../../../core/bounded-map.ts';
import { currentLocaleTag, toLocalText } from '../../../core/text/translate.ts';
import { type FilterChoice, type FilterRow, toFilterRows } from '../../../page/filter/filter-row.ts';
import type { ListColumn } from './columns.ts';
import { listFilterChoices } from './filter.ts';
import type { OpenSchema } from './open.ts';
import { type ListQuery, printListQuery } from './query.ts';

/** What the search form of a list shows. */
export interface SearchForm {
  readonly open: OpenSchema;
  readonly query: ListQuery;
  /** All columns that the list can show, as `listColumns` gives them. */
  readonly all: readonly ListColumn[];
  readonly columns: readonly ListColumn[];
  /** Rows of a page. */
  readonly limit: number;
  /** Errors of the search by parameter. */
  readonly faults: Readonly<Record<string, unknown>>;
}

const PAGE_SIZES = [10, 25, 50, 100, 200];
/** Maximum number of cached forms, and of characters of a search whose form is cached. */
const MOST_CACHED = 500;
const MOST_CHARACTERS = 500;

/** Everything that a list can be filtered by. */
export const listChoices = ({ context, schema, source }: OpenSchema): readonly FilterChoice[] =>
  listFilterChoices(context, { model: context.plan.model, schema, source });

/** Conditions, including the new one. */
export function listFilters({ open, query, faults }: SearchForm): (FilterRow & { readonly isNew: boolean })[] {
  const { active } = open.schema;
  const choices = listChoices(open);
  const isAdded = query.add !== '' && choices.some(({ name }) => name === query.add);
  const conditions = [...query.conditions, ...(isAdded ? [{ name: query.add, operator: '', value: '' }] : [])];
  const without = (index: number): string =>
    printListQuery({ ...query, conditions: query.conditions.filter((_, at) => at !== index) }, active);
  const rows = toFilterRows({ conditions, choices, faults, without });
  return rows.map((row) => ({ ...row, isNew: row.index >= query.conditions.length }));
}

function renderForm(form: SearchForm): string {
  const { open, query, all, columns, limit } = form;
  const { context, schema, source, base } = open;
  return context.services.views.render('admin', 'data/search-form', {
    base,
    schema: { plural: toLocalText(schema.plural), hasActive: schema.active !== undefined },
    query,
    filters: listFilters(form),
    choices: listChoices(open).map(({ name, label }) => ({ name, label })),
    removed: { isOnly: query.removed === 'only', isAny: query.removed === 'any' },
    sizes: PAGE_SIZES.filter((size) => size <= context.plan.model.settings.limits.maxPageRows).map((size) => ({
      size,
      isChosen: size === limit,
    })),
    isSearchable: source.words.length > 0 && !source.hidesWords,
    fields: all.map(({ name, label }) => ({ name, label, isChosen: columns.some((column) => column.name === name) })),
  });
}

const createCache = (): BoundedMap<string> => new BoundedMap(MOST_CACHED);

/**
 * The HTML of the search form. It depends on the search and on the columns, which are those of one plan, set of rights and
 * language, and not on the page or its rows; so it is cached. Making it takes a fifth of a page.
 */
export function toSearchForm(form: SearchForm): string {
  const { all, faults, open } = form;
  const { q, conditions, removed, sort, columns, limit, add } = form.query;
  const search = JSON.stringify([q, conditions, removed, sort, columns, limit, add]);
  const isCached = search.length <= MOST_CHARACTERS && Object.keys(faults).length === 0;
  if (!isCached) return renderForm(form);
  const key = [open.source.key, currentLocaleTag(), ...all.map(({ name }) => name), search].join();
  return open.context.memory.get(createCache).getOrCreate(key, () => renderForm(form));
}
