import type { ExpressionReads } from './expression/reads.ts';
import type { Expression } from './expression/tree.ts';
import type {
  App,
  Field,
  Fieldset,
  Hook,
  Relation,
  RelationKind,
  Rest,
  Role,
  Schema,
  Scope,
  Settings,
} from './shape.ts';

/** All definition files, parsed, with their references resolved, and frozen. */
export interface Model {
  /** Of `config/settings.json`. */
  readonly settings: Settings;
  /** `version` of the project's package.json; absent without one. */
  readonly version?: string;
  /** By name, with the columns and relations that follow from the files. */
  readonly schemas: ReadonlyMap<string, SchemaModel>;
  /** By name. */
  readonly fieldsets: ReadonlyMap<string, Fieldset>;
  /** REST calls by name. */
  readonly calls: ReadonlyMap<string, CallModel>;
  /** By slug. */
  readonly scopes: ReadonlyMap<string, ScopeModel>;
  /** Web hooks by name. */
  readonly hooks: ReadonlyMap<string, HookModel>;
  /** Apps with a file, by name. */
  readonly apps: ReadonlyMap<string, AppModel>;
  /** By slug. */
  readonly roles: ReadonlyMap<string, Role>;
}

/** A schema with computed names: table, columns, relations from both ends. */
export interface SchemaModel {
  readonly name: string;
  readonly singular: string;
  readonly plural: string;
  readonly icon: string | undefined;
  readonly description: string | undefined;
  /** Label of a row: a Handlebars template such as `{{article_title}}`. */
  readonly display: string | undefined;
  /** Former names of a renamed schema, latest first. */
  readonly was: readonly string[];
  /** Table name: the schema's name with `-` as `_`. */
  readonly table: string;
  /** Primary key column, `<table>_id`. */
  readonly primary: string;
  /** Every field with a column, in order, without primary key and foreign keys. */
  readonly columns: readonly ColumnModel[];
  /**
   * Columns by full name (`article_title`) and, for import and the CLI, by the field's own name (`title`).
   */
  readonly byName: ReadonlyMap<string, ColumnModel>;
  /** Full column name of the field of that type, if there is one. */
  readonly active: string | undefined;
  readonly created: string | undefined;
  readonly updated: string | undefined;
  /** Relations that this schema declares. */
  readonly relations: readonly RelationModel[];
  /** Relations of other schemas (or of this one) that refer to this schema. */
  readonly reverse: readonly RelationModel[];
  /** Relations to itself in which no row is below itself. */
  readonly trees: readonly TreeModel[];
  /** Columns that are unique together, among rows that are not removed. */
  readonly unique: readonly UniqueModel[];
  /** Periods that do not overlap, among rows that are not removed. */
  readonly exclude: readonly ExcludeModel[];
  /** Indexes that the definition adds to those that follow from its fields and relations. */
  readonly indexes: readonly IndexModel[];
  /** The structure of its rows. */
  readonly row: RowShape;
  readonly definition: Schema;
  readonly file: string;
}

/** A relation of a schema to itself whose rows form a tree. */
export interface TreeModel {
  /** Name of the relation. */
  readonly name: string;
  /** Column with the key of a row's parent. */
  readonly column: string;
  /** Column that the children of a row are in the order of; undefined for the primary key. */
  readonly order: string | undefined;
  readonly relation: RelationModel;
}

/** Columns of a schema's own table that no two rows may have alike together. */
export interface UniqueModel {
  readonly columns: readonly string[];
  readonly message: string;
}

/** A rule that no two rows with the same values have periods that overlap. */
export interface ExcludeModel {
  /** Full names of the columns whose values must be the same; none if all rows have one timeline. */
  readonly columns: readonly string[];
  /** Full names of the columns with the start, which belongs to the period, and the end, which does not. Null is open. */
  readonly range: readonly [from: string, until: string];
  /** Undefined if the definition has none. */
  readonly message: string | undefined;
}

/** An index of a schema's own table. */
export interface IndexModel {
  readonly columns: readonly IndexColumn[];
  /** Conditions that all hold for the rows in it; none if it holds every row. */
  readonly where: readonly IndexTerm[];
}

export type TermOperator = 'eq' | 'ne' | 'lt' | 'lte' | 'gt' | 'gte' | 'in' | 'null';

/** One condition of a partial index. */
export interface IndexTerm {
  /** Full name. */
  readonly column: string;
  readonly operator: TermOperator;
  /** In stored form; of `in` a list, of `null` true if the value must be missing. Numbers are whole. */
  readonly value: string | number | boolean | readonly (string | number)[];
  /** Of a decimal, whose value is a whole number of the smallest unit: its digits after the point. */
  readonly scale?: number;
}

export interface IndexColumn {
  /** Full name. */
  readonly name: string;
  readonly isDescending: boolean;
}

/** The structure of a schema's rows, computed once per model. */
export interface RowShape {
  /** Primary key column. */
  readonly primary: string;
  /** Fields that rows contain, in the definition's order. */
  readonly shown: readonly ColumnModel[];
  /** Fields that are stored but never shown: passwords. */
  readonly secrets: readonly ColumnModel[];
  /** Foreign keys in the schema's own table. */
  readonly keys: readonly ForeignKey[];
  /** Every column of the schema's own table: primary key, fields, foreign keys. */
  readonly stored: readonly string[];
  /** Columns of the 1:1 relations, which rows contain next to their own. */
  readonly flat: readonly FlatColumn[];
  /** Every name in a row: primary key, shown fields, foreign keys, columns of 1:1 relations. */
  readonly names: ReadonlySet<string>;
  /** Relations that a detail adds under their names: 1:0 as an object or null, 1:N and N:N as lists. */
  readonly details: readonly RelationModel[];
}

/** A foreign key in a schema's own table. */
export interface ForeignKey {
  readonly column: string;
  /** Schema of the row that it refers to. */
  readonly target: string;
  readonly isNullable: boolean;
  /** `own`: the schema declares the relation (1:1, 1:0). `parent`: the other schema does (1:N). */
  readonly origin: 'own' | 'parent';
  readonly relation: RelationModel;
}

/** A column of a 1:1 relation in a row. */
export interface FlatColumn {
  /** Name in the row. */
  readonly name: string;
  readonly relation: RelationModel;
  /** Its schema. */
  readonly target: string;
  /** Name in its own table. */
  readonly column: string;
  /** Undefined for the target's primary key. */
  readonly model: ColumnModel | undefined;
}

export interface ColumnModel {
  /** Full column name, `<table>_<field>`. */
  readonly name: string;
  readonly field: Field;
  /** Former full column names of a renamed field (or schema), latest first. */
  readonly was: readonly string[];
  readonly label: string;
  readonly isRequired: boolean;
  readonly isUnique: boolean;
  readonly isSearchable: boolean;
  readonly isFilterable: boolean;
  readonly isSortable: boolean;
  /** True if only the row's owner, and roles that name it, see it. */
  readonly isPrivate: boolean;
  /**
   * For the type `fieldset`: its fields as columns of the group, by their own names. Absent for other types.
   */
  readonly parts?: readonly ColumnModel[];
  /**
   * For the type `computed`: how its value is computed. Its {@link field} then has the type of that value, and nobody writes it.
   * Absent for other types.
   */
  readonly computed?: ComputedModel;
}

/** A value that the database computes of a row. */
export interface ComputedModel extends ExpressionReads {
  readonly expression: Expression;
  /** As it is written. */
  readonly text: string;
  /** True if the table has a column of it; else each statement computes it. */
  readonly isStored: boolean;
}

/**
 * A relation with its storage.
 *
 * `1:1` and `1:0`: a foreign key in the declaring schema's table (NOT NULL for 1:1), named `<target>_id`, or
 * `<name>_id` if the relation has its own name. `1:N`: a nullable foreign key in the target's table, named
 * `<source>_id` (or `<source>_<name>_id` if it has a name or refers to its own schema). `N:N`: a table
 * `<source>_<name>` with `<source>_id` and `<target>_id` (to itself: `_id_1`, `_id_2`).
 */
export interface RelationModel {
  /** Name of the relation and in results: its own name, else the target schema's. */
  readonly name: string;
  readonly kind: RelationKind;
  /** The declaring schema's name. */
  readonly source: string;
  /** The schema that it refers to. */
  readonly target: string;
  /** Table that holds the foreign key, or the join table. */
  readonly table: string;
  /**
   * Column with the key of the source's row; undefined for 1:1 and 1:0, where the row itself is the source.
   */
  readonly sourceColumn: string | undefined;
  /** Column with the key of the target's row; undefined for 1:N, where the row itself is the target. */
  readonly targetColumn: string | undefined;
  readonly definition: Relation;
}

/** A REST call, defined in a file or hand-written in a controller. */
export interface CallModel {
  /** The file's name without `.json`; for a hand-written call made from access, method and path. */
  readonly name: string;
  readonly definition: Rest;
  /** Path as served, `/rest` + the definition's. */
  readonly path: string;
  /** Names of the path's parameters. */
  readonly parameters: readonly string[];
  /** Slugs of the scopes that list this call. */
  readonly scopes: readonly string[];
  /** The schema that its event works on (`parameters.schema`), if the model has it. */
  readonly schema: string | undefined;
  /**
   * True if a user call is limited to rows of the token's user. Default for user calls; `"own": false` lifts
   * it.
   */
  readonly isOwn: boolean;
  readonly file: string;
}

export interface ScopeModel {
  readonly slug: string;
  readonly definition: Scope;
  readonly calls: readonly string[];
  readonly file: string;
}

export interface HookModel {
  readonly name: string;
  readonly definition: Hook;
  readonly schema: string | undefined;
  readonly file: string;
}

export interface AppModel {
  readonly name: string;
  readonly definition: App;
  readonly file: string;
}

/** A schema that a part of the linked model names. */
export function getSchema({ schemas }: Pick<Model, 'schemas'>, name: string): SchemaModel {
  const schema = schemas.get(name);
  if (schema === undefined) throw new TypeError(`The model has no schema ${name}`);
  return schema;
}
