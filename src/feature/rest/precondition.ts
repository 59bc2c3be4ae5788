import { type Action, findReadable, getAccess, type RowPredicate } from '../../core/access.ts';
import type { Request } from '../../core/request/request.ts';
import { namesVersion } from '../../core/request/tagging.ts';
import { lockRows } from '../../database/lock-rows.ts';
import type { SchemaModel } from '../../model/model.ts';
import type { CallPlan, Context } from '../../plan/feature.ts';
import { toRowVersion } from '../../store/read/row-version.ts';
import { getSearcher } from '../../store/read/searcher.ts';
import type { CallStep } from './call-step.ts';
import { compileCallTransaction } from './call-transaction.ts';
import { MESSAGES, refuse } from './errors.ts';

/** Events that change one row, which a client may have read before. */
const CHANGES = /^system-model-(?:update|remove|restore)$/;

const NO_MASKS: NonNullable<RowPredicate['masks']> = new Map();

interface PreconditionContext {
  readonly context: Context;
  readonly schema: SchemaModel;
  readonly action: Action;
  /** True if removed rows can be changed too. */
  readonly includesRemoved: boolean;
}

/** The version of the row that the stage names. Locks the row until the transaction ends. */
async function lockVersion(
  { context, schema, action, includesRemoved }: PreconditionContext,
  request: Request,
): Promise<string | undefined> {
  const { database } = context.services;
  const names = [schema.primary, ...schema.columns.filter(({ isUnique }) => isUnique).map(({ name }) => name)];
  const column = names.find((name) => request.hasStage(name));
  if (column === undefined) return undefined;
  const read = async () => {
    const access = getAccess();
    const grant = access.grant(schema.name, action);
    // A caller who may not change the row must not learn its version.
    if (!grant) return undefined;
    const by = { column, value: request.getStage(column) };
    // The same version as a detail gives, without the columns that it hides. What the rules of the change hide does not count.
    const read = findReadable(access, schema.name);
    const masks = access.grant(schema.name, 'detail')?.rows?.masks ?? NO_MASKS;
    const rows = { ...grant.rows, masks };
    const options = { rows, see: access.related, read, includesRemoved, relations: [] };
    return getSearcher(context.plan.model).detail(database, schema.name, by, options);
  };
  const found = await read();
  if (!found || !database.writesInParallel) return found && toRowVersion(schema, found);
  const query = database.kysely.selectFrom(schema.table).select(schema.primary);
  await lockRows(query.where(schema.primary, '=', found[schema.primary]), database).execute();
  // The previous holder of the lock may have changed the row.
  const row = await read();
  return row && toRowVersion(schema, row);
}

/**
 * Compiles the check of `If-Match` and `If-None-Match` for a write of one row; undefined for other calls. The
 * check and the change share one transaction, so that only one of several requests with the same version
 * succeeds.
 *
 * @see RFC 9110 sections 13.1.1, 13.1.2, 13.2.2
 */
export function compilePrecondition(call: CallPlan, context: Context): CallStep | undefined {
  const { event, concurrency } = call.definition;
  const schema = call.schema === undefined ? undefined : context.plan.model.schemas.get(call.schema);
  if (!schema || call.handler || !CHANGES.test(event)) return undefined;
  const isRequired = concurrency === 'required';
  const action = event.slice('system-model-'.length) as Action;
  const input = { context, schema, action, includesRemoved: action === 'restore' };
  const unit = compileCallTransaction(call, context);
  const run: CallStep['run'] = (x, next) => {
    const { request, response } = x;
    // An empty If-Match (a client that lost the ETag) matches nothing, rather than any version.
    const wanted = request.getHeader('if-match') ?? (request.hasHeader('if-match') ? '' : undefined);
    const unwanted = request.getHeader('if-none-match');
    if (wanted === undefined && isRequired)
      return refuse(response, {
        status: 428,
        code: 'IF_MATCH_MISSING',
        header: 'If-Match',
        message: MESSAGES.versionMissing,
      });
    if (wanted === undefined && unwanted === undefined) return next(x);
    return unit(request, response, async () => {
      const version = await lockVersion(input, request);
      // No such row: the call itself answers that.
      if (version === undefined) return next(x);
      const isOther = wanted !== undefined && !namesVersion(wanted, version);
      const isThere = unwanted !== undefined && namesVersion(unwanted.replaceAll('W/', ''), version);
      if (!isOther && !isThere) return next(x);
      response.addHeader('etag', `"${version}"`);
      return refuse(response, {
        status: 412,
        code: isOther ? 'ROW_CHANGED' : 'ROW_UNCHANGED',
        header: isOther ? 'If-Match' : 'If-None-Match',
        message: isOther ? MESSAGES.versionOther : MESSAGES.versionThere,
      });
    });
  };
  return { name: 'precondition', run };
}
