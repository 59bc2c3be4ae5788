import type { Request } from '../../core/request.ts';
import type { SchemaModel } from '../../model/model.ts';
import type { Context } from '../../plan/feature.ts';
import type { Reach } from '../../store/read/source/view.ts';
import { findReturning, type Returning } from '../../store/read/sql/returning.ts';
import type { RowTools } from './draft.ts';
import { isWholeVisible } from './visible-row.ts';

interface Written {
  readonly event: string;
  readonly request: Request;
  readonly schema: SchemaModel;
  readonly reach: Reach;
  readonly tools: RowTools;
}

/**
 * What the one statement returns. Undefined if the write takes more than one: a transaction is open, a listener hears of
 * it, a rule judges the row after it or hides a part of it, or an uploaded file must go with it when it fails.
 */
export function findOneStatement(
  { plan, services: { database }, isHeard }: Context,
  { event, request, schema, reach, tools }: Written,
): Returning | undefined {
  if (database.isInTransaction || !tools.files.isEmpty) return undefined;
  if ((reach.after ?? reach.rows)?.anyOf !== undefined || !isWholeVisible(schema, reach)) return undefined;
  return isHeard(event, request) ? undefined : findReturning(plan.model, schema.name, database);
}
