import type { Database } from '../database/database.ts';
import type { CommitItem, Companion, Row } from '../database/row-statement.ts';
import type { Model, RelationModel, SchemaModel } from '../model/model.ts';

/** What happened to a row; `import` is a whole import. */
export const CHANGE_ACTIONS = ['create', 'update', 'remove', 'restore', 'link', 'unlink', 'import'] as const;

/** A change of a row, as the write that makes it knows it. */
export interface Change {
  readonly action: (typeof CHANGE_ACTIONS)[number];
  readonly schema: SchemaModel;
  /** Undefined for an import. */
  readonly id: number | undefined;
  /** Columns before the change; absent if the row is new. */
  readonly before?: Row | undefined;
  /** Columns after it, at least those that changed; absent if the row is gone. */
  readonly after?: Row | undefined;
  /** Columns that the change wrote. Default: all. */
  readonly columns?: readonly string[] | undefined;
  /** Extra details: the linked row, import counts. */
  readonly details?: Row;
}

/** Records changes in the commit that makes them. */
export interface ChangeRecorder {
  /** Whether changes of the schema's rows are recorded. */
  records(schema: SchemaModel): boolean;
  /** What records a change; undefined if nothing changed that is recorded. Must be fast: it is part of every write. */
  record(change: Change): CommitItem | undefined;
  /** What records a change by the statement that makes it, of the row that it writes or removes. */
  toCompanion(change: Omit<Change, 'id' | 'after'>): Companion;
}

/** Where changes are recorded: the part of the context that does it. */
interface RecordingContext {
  readonly recorder?: ChangeRecorder | undefined;
  readonly plan: { readonly model: Model };
  readonly services: { readonly database: Pick<Database, 'collect'> };
}

/** The recorder of a schema's changes; undefined if they are not recorded. */
export const findRecorder = (
  { recorder }: Pick<RecordingContext, 'recorder'>,
  schema: SchemaModel,
): ChangeRecorder | undefined => (recorder?.records(schema) ? recorder : undefined);

/** Records a change. Call it inside the transaction that makes it. */
export function recordChange(context: RecordingContext, change: Change): void {
  const collected = findRecorder(context, change.schema)?.record(change);
  if (collected) context.services.database.collect(collected);
}

/** The columns that a record of a removed row keeps; none if the schema's changes are not recorded. */
export function listRecorded(context: Pick<RecordingContext, 'recorder'>, schema: SchemaModel): readonly string[] {
  if (findRecorder(context, schema) === undefined) return [];
  const secrets = new Set(schema.row.secrets.map(({ name }) => name));
  const isWritten = (name: string): boolean => !secrets.has(name) && schema.byName.get(name)?.computed === undefined;
  return schema.row.stored.filter(isWritten);
}

/** The two ends of a link. */
export interface LinkEnds {
  readonly source: number;
  readonly target: number;
}

/** Records a link of two rows in the history of each. Call it in the transaction that makes or removes it. */
export function recordLink(
  context: RecordingContext,
  action: 'link' | 'unlink',
  relation: RelationModel,
  { source, target }: LinkEnds,
): void {
  const ends = [
    { name: relation.source, id: source },
    { name: relation.target, id: target },
  ];
  for (const [index, { name, id }] of ends.entries()) {
    const schema = context.plan.model.schemas.get(name);
    const other = ends[1 - index];
    const details = { relation: relation.name, schema: other?.name, id: other?.id };
    if (schema !== undefined) recordChange(context, { action, schema, id, details });
  }
}
