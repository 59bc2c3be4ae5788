/** What the migration of a reload may do beyond the steps that lose nothing. */
export interface ReloadMigration {
  /** Whether steps that lose data are done too, with a copy. */
  readonly allowLoss: boolean;
  /** Values for rows without one in a column that is required now: `article.author` to text. */
  readonly defaults: ReadonlyMap<string, string>;
}
