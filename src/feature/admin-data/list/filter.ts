import { BoundedMap } from '../../../core/bounded-map.ts';
import { currentLocaleTag, toLocalText, translate } from '../../../core/text/translate.ts';
import type { Model, SchemaModel } from '../../../model/model.ts';
import { toColumnText, toLabelText } from '../../../model/names.ts';
import type { FilterChoice } from '../../../page/filter/filter-row.ts';
import type { Context } from '../../../plan/feature.ts';
import type { RelatedKeys, Source, SourceColumn } from '../../../store/read/source/source.ts';

interface Facts {
  readonly model: Model;
  readonly schema: SchemaModel;
  readonly source: Source;
}

function toChoice(column: SourceColumn, name: string, label: string, schema: SchemaModel | undefined): FilterChoice {
  const field = schema?.byName.get(column.column)?.field;
  const options = column.options === undefined ? [] : (field?.options ?? []);
  if (field?.type === 'decimal') return { name, label, type: 'decimal', options: [], decimal: field };
  const type = column.tree === undefined ? column.type : 'tree';
  return { name, label, type: options.length > 0 && type === 'text' ? 'option' : type, options };
}

function findOwnLabel({ schema, model }: Facts, name: string): string {
  if (name === schema.primary) return translate('ID');
  const key = schema.row.keys.find(({ column }) => column === name);
  if (key !== undefined) {
    // Of two relations to one schema, each has its own name.
    const { target, origin, relation } = key;
    const own = findRelatedLabel({ target, name: origin === 'own' ? relation.name : target }, model);
    return `${own} (${translate('ID')})`;
  }
  return toLocalText(schema.byName.get(name)?.label ?? name);
}

function findRelatedLabel({ name, target }: Pick<RelatedKeys, 'name' | 'target'>, model: Model): string {
  return toColumnText((name === target ? model.schemas.get(target)?.singular : undefined) ?? toLabelText(name));
}

/** Maximum number of cached lists of choices, one for each source and language. */
const MOST_CACHED = 500;
const createCache = (): BoundedMap<readonly FilterChoice[]> => new BoundedMap(MOST_CACHED);

/** Everything that a list can be filtered by, as the search of the viewer allows it. */
export function listFilterChoices({ memory }: Context, facts: Facts): readonly FilterChoice[] {
  const key = `${facts.source.key},${currentLocaleTag()}`;
  return memory.get(createCache).getOrCreate(key, () => makeFilterChoices(facts));
}

function makeFilterChoices(facts: Facts): FilterChoice[] {
  const { source, schema, model } = facts;
  const own = [...source.filterable]
    .filter(([name]) => name !== schema.active)
    .map(([name, column]) => toChoice(column, name, findOwnLabel(facts, name), schema));
  const flat = [...source.flat].map(([name, { column, within }]) =>
    toChoice(
      column,
      name,
      `${findRelatedLabel(within, model)}: ${findColumnLabel(column, within, model)}`,
      model.schemas.get(within.target),
    ),
  );
  const links = [...source.links]
    .filter(([, { isBack }]) => !isBack)
    .map(
      ([name, within]): FilterChoice => ({
        name,
        label: `${findRelatedLabel(within, model)} (${translate('ID')})`,
        type: 'link',
        options: [],
      }),
    );
  const joined = new Set([...source.flat.values()].map(({ within }) => within.name));
  const related = [...source.related].flatMap(([name, within]) => {
    if (within.isBack || joined.has(name)) return [];
    const label = findRelatedLabel(within, model);
    const columns = [...within.columns].map(([inner, column]) =>
      toChoice(
        column,
        `${name}.${inner}`,
        `${label}: ${findColumnLabel(column, within, model)}`,
        model.schemas.get(within.target),
      ),
    );
    return [{ name, label, type: 'relation', options: [] } as FilterChoice, ...columns];
  });
  return [...own, ...flat, ...links, ...related];
}

function findColumnLabel({ column }: SourceColumn, { target }: RelatedKeys, model: Model): string {
  const schema = model.schemas.get(target);
  return column === schema?.primary
    ? translate('ID')
    : toColumnText(schema?.byName.get(column)?.label ?? toLabelText(column));
}
