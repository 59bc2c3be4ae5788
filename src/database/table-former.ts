import { toStorage } from '../model/link/relations.ts';
import type { ColumnModel, Model, RelationModel, SchemaModel } from '../model/model.ts';
import { listFormer, toColumn, toPrimary, toTable } from '../model/names.ts';

/** Conditions for a former name: the name that each of these tables must still have, by its wanted name. */
type Circumstance = Readonly<Record<string, string>>;

/** Names that something may still have, the likeliest first, with the conditions of each. */
export interface Former {
  readonly was?: readonly string[];
  readonly wasUnder?: Readonly<Record<string, readonly Circumstance[]>>;
}

interface Guess {
  readonly name: string | undefined;
  readonly under: Circumstance;
}

function toFormer(guesses: readonly Guess[], present: string | undefined): Former {
  const under: Record<string, Circumstance[]> = {};
  for (const { name, under: circumstance } of guesses) {
    if (name === undefined || name === present) continue;
    under[name] = [...(under[name] ?? []), circumstance];
  }
  const was = Object.keys(under);
  return was.length === 0 ? {} : { was, wasUnder: under };
}

/** A schema's former names, then its current one. */
const toSchemaNames = ({ name, was }: Pick<SchemaModel, 'name' | 'was'>): string[] => [...was, name];

/** Former names of a schema's table. */
export function findFormerTable({ was, table }: SchemaModel): Pick<Former, 'was'> {
  const former = was.map(toTable).filter((name) => name !== table);
  return former.length === 0 ? {} : { was: former };
}

export function findFormerPrimary(schema: SchemaModel): Former {
  const guesses = toSchemaNames(schema).map((name) => ({
    name: toPrimary(name),
    under: { [schema.table]: toTable(name) },
  }));
  return toFormer(guesses, schema.primary);
}

/**
 * Former names of a field's column. The schema and the field may have been renamed together, or one after the
 * other, with only the first rename done in this database.
 */
export function findFormerColumn(schema: SchemaModel, { name, field }: ColumnModel): Former {
  const fields = [...listFormer(field.was), field.name];
  const guesses = fields.flatMap((own) =>
    toSchemaNames(schema).map((prefix) => ({
      name: toColumn(prefix, own),
      under: { [schema.table]: toTable(prefix) },
    })),
  );
  return toFormer(guesses, name);
}

/** Former names of a relation's storage: its table (for N:N), and its column at either end. */
export interface FormerStorage {
  readonly table: Former;
  readonly source: Former;
  readonly target: Former;
}

export function findFormerStorage(relation: RelationModel, model: Model): FormerStorage {
  const { definition, kind } = relation;
  const toPlaces = (name: string) =>
    toSchemaNames({ name, was: model.schemas.get(name)?.was ?? [] }).map((known) => ({
      table: toTable(known),
      primary: toPrimary(known),
    }));
  const isSelf = relation.source === relation.target;
  // A relation without its own name has its schema's name, which "was" may contain.
  const former = listFormer(definition.was);
  const names = former.length === 0 ? [definition.name] : [...former, undefined, definition.name];
  const found = names.flatMap((name) =>
    toPlaces(relation.source).flatMap((source) =>
      (isSelf ? [source] : toPlaces(relation.target))
        .filter((target) => name !== undefined || former.length === 0 || former.some((was) => isPlainName(was, target)))
        .map((target) => ({
          storage: toStorage({ kind, ...(name === undefined ? {} : { name }) }, source, target),
          under: { [toTable(relation.source)]: source.table, [toTable(relation.target)]: target.table },
        })),
    ),
  );
  const collect = (part: 'table' | 'sourceColumn' | 'targetColumn'): Former =>
    toFormer(
      found.map(({ storage, under }) => ({ name: storage[part], under })),
      relation[part],
    );
  return { table: collect('table'), source: collect('sourceColumn'), target: collect('targetColumn') };
}

const isPlainName = (was: string, target: { readonly table: string }): boolean => toTable(was) === target.table;
