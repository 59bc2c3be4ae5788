import type { Row } from '../../database/row-statement.ts';
import type { SchemaModel } from '../../model/model.ts';
import { hasListenerFor, tellOf } from '../../plan/emit/consequence.ts';
import type { Context } from '../../plan/feature.ts';
import { readBack } from './draft.ts';

export type ImportAction = 'create' | 'update';

/** Tells `after` and `committed` listeners and web hooks of each row that an import writes, as of a row that a call writes. */
export interface ImportTeller {
  /** Whether anybody hears of rows that are created, and of rows that are changed. */
  readonly hears: Readonly<Record<ImportAction, boolean>>;
  /** Whether an `after` listener hears of rows that are created, and of rows that are changed: it may refuse one. */
  readonly mayRefuse: Readonly<Record<ImportAction, boolean>>;
  /** The row as a search gives it. */
  read(id: number): Promise<Row>;
  /**
   * Call it in the transaction of the row.
   *
   * @param original The row before a change.
   * @throws RowFailure if an `after` listener refuses the row.
   */
  tell(action: ImportAction, id: number, original?: Row): Promise<void>;
}

/** Undefined if nobody hears of single rows: then an import writes them together. */
export function createImportTeller(context: Context, schema: SchemaModel): ImportTeller | undefined {
  const { name, primary } = schema;
  const hearsRow = (action: ImportAction): boolean =>
    hasListenerFor(context, `system-model-${action}`, { schema: name });
  const hears = { create: hearsRow('create'), update: hearsRow('update') };
  if (!hears.create && !hears.update) return undefined;
  const { followers } = context.plan.bus;
  const isFollowed = (action: ImportAction): boolean => followers.hasFollower(`system-model-${action}`, name);
  const read = (id: number): Promise<Row> => readBack(context, schema, id);
  return {
    hears,
    mayRefuse: { create: isFollowed('create'), update: isFollowed('update') },
    read,
    async tell(action, id, original) {
      const row = await read(id);
      const stage = { ...row, schema: name, [primary]: id };
      await tellOf(context, `system-model-${action}`, stage, original === undefined ? row : { ...row, original });
    },
  };
}
