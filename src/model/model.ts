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

/** Everything that the definition files say, parsed, linked and frozen. Made by `linkModel`; never changed. */
export interface Model {
  readonly settings: Settings;
  readonly schemas: ReadonlyMap<string, SchemaModel>;
  readonly fieldsets: ReadonlyMap<string, Fieldset>;
  readonly calls: ReadonlyMap<string, CallModel>;
  readonly scopes: ReadonlyMap<string, ScopeModel>;
  readonly hooks: ReadonlyMap<string, HookModel>;
  readonly apps: ReadonlyMap<string, AppModel>;
  readonly roles: ReadonlyMap<string, Role>;
}

/** A schema with its names worked out: table, columns, relations from both ends. */
export interface SchemaModel {
  readonly name: string;
  readonly singular: string;
  readonly plural: string;
  readonly icon: string | undefined;
  readonly description: string | undefined;
  /** Label of a row: a Handlebars text such as `{{article_title}}`. */
  readonly display: string | undefined;
  /** Former names, where the schema was renamed; the latest first. */
  readonly was: readonly string[];
  /** Table name: the schema's name with `-` as `_`. */
  readonly table: string;
  /** Primary key column, `<table>_id`. */
  readonly primary: string;
  /** Every field that has a column, in order, without the primary key and the foreign keys. */
  readonly columns: readonly ColumnModel[];
  /** Columns by their full name (`article_title`) and, for import and the CLI, by the field's own name (`title`). */
  readonly byName: ReadonlyMap<string, ColumnModel>;
  /** Full column name of the field of that special type, where the schema has one. */
  readonly active: string | undefined;
  readonly created: string | undefined;
  readonly updated: string | undefined;
  /** Relations that this schema declares. */
  readonly relations: readonly RelationModel[];
  /** Relations of other schemas (or of this one) that lead here. */
  readonly reverse: readonly RelationModel[];
  /** What its rows consist of. */
  readonly row: RowShape;
  readonly definition: Schema;
  readonly file: string;
}

/** What the rows of a schema consist of, worked out once per model. */
export interface RowShape {
  /** Primary key column. */
  readonly primary: string;
  /** Fields that rows show, in the definition's order. */
  readonly shown: readonly ColumnModel[];
  /** Fields that are stored and never shown: passwords. */
  readonly secrets: readonly ColumnModel[];
  /** Foreign keys in the schema's own table. */
  readonly keys: readonly ForeignKey[];
  /** Every column of the schema's own table: primary key, fields, foreign keys. */
  readonly stored: readonly string[];
  /** Columns of the 1:1 relations, which rows show among their own. */
  readonly flat: readonly FlatColumn[];
  /** Every name that a row has: primary key, shown fields, foreign keys, flat columns. */
  readonly names: ReadonlySet<string>;
  /** Relations that a detail adds under their names: 1:0 as an object or null, 1:N and N:N as lists. */
  readonly details: readonly RelationModel[];
}

/** A foreign key in a schema's own table. */
export interface ForeignKey {
  readonly column: string;
  /** Schema of the row that it names. */
  readonly target: string;
  readonly isNullable: boolean;
  /** `own`: the schema declares the relation (1:1, 1:0). `parent`: the other schema does (1:N). */
  readonly origin: 'own' | 'parent';
  readonly relation: RelationModel;
}

/** A column of a 1:1 relation as a row shows it. */
export interface FlatColumn {
  /** Name in the row. */
  readonly name: string;
  readonly relation: RelationModel;
  /** Schema that it comes from. */
  readonly target: string;
  /** Name in its own table. */
  readonly column: string;
  /** Undefined for the primary key of the target. */
  readonly model: ColumnModel | undefined;
}

export interface ColumnModel {
  /** Full column name, `<table>_<field>`. */
  readonly name: string;
  readonly field: Field;
  /** Former full column names, where the field (or its schema) was renamed; the latest first. */
  readonly was: readonly string[];
  readonly label: string;
  readonly isRequired: boolean;
  readonly isUnique: boolean;
  readonly isSearchable: boolean;
  readonly isFilterable: boolean;
  readonly isSortable: boolean;
  /** Of a field of type `fieldset`: its fields as columns of the group, by their own names. Absent for other types. */
  readonly parts?: readonly ColumnModel[];
}

/**
 * A relation with its storage worked out.
 *
 * `1:1` and `1:0`: a foreign key in the declaring schema's table (NOT NULL for 1:1), named `<target>_id`, or `<name>_id`
 * where the relation has its own name. `1:N`: a nullable foreign key in the target's table, named `<source>_id` (or
 * `<source>_<name>_id` where named or to itself). `N:N`: a table `<source>_<name>` with `<source>_id` and `<target>_id`
 * (to itself: `_id_1`, `_id_2`).
 */
export interface RelationModel {
  /** Name in results, and of the relation: its own name, else the target schema's. */
  readonly name: string;
  readonly kind: RelationKind;
  /** The declaring schema's name. */
  readonly source: string;
  /** The schema it leads to. */
  readonly target: string;
  /** Table that holds the foreign key, or the join table. */
  readonly table: string;
  /** Column that points at the source's row; undefined for 1:1 and 1:0, whose own row is the source. */
  readonly sourceColumn: string | undefined;
  /** Column that points at the target's row; undefined for 1:N, whose own row is the target. */
  readonly targetColumn: string | undefined;
  readonly definition: Relation;
}

/** A REST call: defined in a file or written by hand in a controller. */
export interface CallModel {
  /** The file's name without `.json`, or for a hand-written call one made from access, method and path. */
  readonly name: string;
  readonly definition: Rest;
  /** Path as served, `/rest` + the definition's. */
  readonly path: string;
  /** Names of the path's parameters. */
  readonly parameters: readonly string[];
  /** Slugs of the scopes that list this call. */
  readonly scopes: readonly string[];
  /** The schema that its event works on (`parameters.schema`), where it is one of the model's. */
  readonly schema: string | undefined;
  /** Whether a user call is held to the rows of the token's user. True for user calls unless `"own": false`. */
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
