/** Related rows as a set of keys: `<side> in (select <key> from <table>)`. */
export interface WayKeys {
  /** Column of this end's table. */
  readonly side: string;
  /** Table and column of the set. */
  readonly table: string;
  readonly key: string;
  /** The related table, if {@link table} is one of pairs: the column there that refers to it, and its primary key. */
  readonly through: { readonly table: string; readonly column: string; readonly primary: string } | undefined;
  /** The `active` column of the related rows. */
  readonly active: string | undefined;
  /** Schema of the related rows, and their primary key. */
  readonly target: string;
  readonly targetKey: string;
}
