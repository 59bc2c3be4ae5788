import type { Request } from '../../../core/request/request.ts';
import type { Row } from '../../../database/row-statement.ts';
import { fieldKinds } from '../../../model/field/field-kind.ts';
import type { Context } from '../../../plan/feature.ts';
import { fromStoredRow } from '../../../store/write/stored-row.ts';

/** An account and its profile in one flat row, without the password hash and secret profile columns. */
export function toAccount({ plan, services }: Context, auth: Row, profile: Row | undefined): Row {
  const { auth_password: _, ...account } = { ...profile, ...auth };
  const schema = plan.model.schemas.get('profile');
  if (schema === undefined) return account;
  for (const { name, field } of schema.columns) if (fieldKinds[field.type].isSecret) delete account[name];
  return fromStoredRow(services.database, schema, account);
}

/** A positive integer from the stage, which may hold it as text; undefined if invalid. */
export function parseId(value: unknown): number | undefined {
  const id = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof id === 'number' && Number.isSafeInteger(id) && id > 0 ? id : undefined;
}

/** The client address that the runtime determined. */
export const toAddress = (request: Request): string => String(request.getServer('REMOTE_ADDR') ?? '');
