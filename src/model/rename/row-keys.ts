import type { Definitions } from '../definitions.ts';
import { linkRelations } from '../link/relations.ts';
import { createReport } from '../link/report.ts';
import { draftSchemas, type SchemaDraft } from '../link/schemas.ts';
import type { RelationModel } from '../model.ts';
import { nameFlat } from '../row-shape.ts';
import type { Format } from '../shape.ts';

type MarksByName = Map<string, string>;

/** The keys of a schema's rows or of a stage about them: name by a mark that no rename changes. */
export interface RowKeys {
  readonly columns: MarksByName;
  readonly relations: MarksByName;
  /** Computed formats, which add a value under the field's own name. */
  readonly computed: MarksByName;
}

const COMPUTED: ReadonlySet<string> = new Set(['formula', 'custom']);
const isComputed = (format: Format | undefined): boolean => format !== undefined && COMPUTED.has(format.format);

function toOwnKeys(draft: SchemaDraft): RowKeys {
  const columns: MarksByName = new Map([['primary', draft.primary]]);
  const computed: MarksByName = new Map();
  for (const [index, field] of draft.definition.fields.entries()) {
    const column = draft.columns.find((each) => each.field === field);
    if (column) columns.set(`field ${index}`, column.name);
    if (isComputed(field.list) || isComputed(field.detail)) computed.set(`computed ${index}`, field.name);
  }
  const relations: MarksByName = new Map(
    draft.relations.map((relation) => [`relation ${toIndex(draft, relation)}`, relation.name] as const),
  );
  return { columns, relations, computed };
}

const toIndex = (draft: SchemaDraft, relation: RelationModel): number =>
  (draft.definition.relations ?? []).indexOf(relation.definition);

/** Adds foreign keys and join columns to each schema with these rows or links. */
function addLinks(mark: string, source: RowKeys, target: RowKeys | undefined, relation: RelationModel): void {
  const { kind, sourceColumn, targetColumn } = relation;
  const add = (keys: RowKeys | undefined, end: string, column: string | undefined): void => {
    if (column !== undefined) keys?.columns.set(`${end} ${mark}`, column);
  };
  if (kind === '1:N') add(target, 'parent', sourceColumn);
  else if (kind !== 'N:N') add(source, 'key', targetColumn);
  else {
    for (const keys of [source, target]) {
      add(keys, 'source', sourceColumn);
      add(keys, 'target', targetColumn);
    }
  }
}

/** Adds the columns of 1:1 relations, named as in a search. */
function addFlat(draft: SchemaDraft, keys: RowKeys, targets: ReadonlyMap<string, SchemaDraft>): void {
  const taken = new Set(keys.columns.values());
  for (const { name, relation, target, model } of nameFlat(draft, (schema) => targets.get(schema), taken)) {
    if (name === undefined) continue;
    const mark = model === undefined ? 'primary' : `field ${target.definition.fields.indexOf(model.field)}`;
    keys.columns.set(`flat ${toIndex(draft, relation)} ${mark}`, name);
  }
}

/**
 * Keys of the rows of every schema that can be parsed.
 *
 * @param toFormer Maps a schema's name to its name before the rename, which is the result's key. Default: its
 * name.
 */
export function readRowKeys(
  definitions: Definitions,
  toFormer: (schema: string) => string = (name) => name,
): Map<string, RowKeys> {
  const report = createReport();
  const drafts = draftSchemas(definitions, report);
  linkRelations(definitions, drafts, report);
  const keys = new Map([...drafts.values()].map((draft) => [draft, toOwnKeys(draft)] as const));
  for (const [draft, own] of keys) {
    for (const relation of draft.relations) {
      const target = drafts.get(relation.target);
      const mark = `${toIndex(draft, relation)} of ${toFormer(draft.name)}`;
      addLinks(mark, own, target && keys.get(target), relation);
    }
  }
  for (const [draft, own] of keys) addFlat(draft, own, drafts);
  return new Map([...keys].map(([draft, own]) => [toFormer(draft.name), own] as const));
}
