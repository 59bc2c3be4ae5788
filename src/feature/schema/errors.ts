import { TreadleError } from '../../core/errors.ts';
import type { Messages, Refusal } from '../../core/request/response.ts';
import { toLocalText, translate } from '../../core/text/translate.ts';
import { toExclusionName } from '../../database/index/exclude-rule.ts';
import { toInvalidMessage } from '../../model/field/validate.ts';
import type { SchemaModel } from '../../model/model.ts';
import { toOverlapMessage, toReversedMessage } from '../../model/period-message.ts';
import type { ConstraintDetail } from '../../store/write/row-sql.ts';

/** A validation failure. Its message is the single error, or names the invalid columns. */
export function toInvalid(validation: Readonly<Messages>, status = 422): Refusal {
  return { status, message: toInvalidMessage(validation), validation };
}

/** The message for an id of a row that does not exist, or that the caller may not see. */
export const toMissingMessage = (label: string, id: unknown): string => `${label} ${String(id)} does not exist`;

/** The message for a row of a tree that would be below itself. @param id Its id; undefined if the write made it. */
export function toCycleMessage(singular: string, id: number | undefined, parent: unknown): string {
  if (id === undefined || typeof parent !== 'number') return `${singular} would be below itself`;
  if (id === parent) return `${singular} ${id} cannot be below itself`;
  return `${singular} ${parent} is below ${singular} ${id}, so it cannot be above it`;
}

export const notFound: Refusal = { status: 404, message: 'Not Found' };

export const notOwned = (plural: string): Refusal => ({
  status: 403,
  message: `${plural} do not belong to a profile, so a user call cannot reach them.`,
});

export const outOfReach = (singular: string): Refusal => ({
  status: 403,
  message: `The change would move the ${singular} out of the rows that you may change.`,
});

/**
 * The failure for values that only together are refused, because of another row or of each other; undefined if the constraint is of one
 * column. That a period is taken stands beside its start.
 */
export function explainTogether(schema: SchemaModel, { kind, columns, rule }: ConstraintDetail): Refusal | undefined {
  const period = rule === undefined ? undefined : schema.exclude.find((own) => toExclusionName(schema, own) === rule);
  if (kind === 'exclude') {
    if (period === undefined) return { status: 409, message: translate('The period of another row overlaps') };
    const message = toOverlapMessage(schema, period);
    return { status: 409, message, validation: { [period.range[0]]: message } };
  }
  if (kind === 'check') {
    return period && toInvalid({ [period.range[1]]: toReversedMessage(schema, period) });
  }
  const together = kind === 'unique' ? schema.unique.find((own) => own.columns.join() === columns.join()) : undefined;
  if (together === undefined) return undefined;
  const message = toLocalText(together.message);
  return { status: 409, message, validation: Object.fromEntries(together.columns.map((name) => [name, message])) };
}

/** The constraint that a write violated; undefined for any other error. */
export function findConstraint(error: unknown): ConstraintDetail | undefined {
  return error instanceof TreadleError && error.code === 'DATABASE_CONSTRAINT'
    ? (error.detail as ConstraintDetail)
    : undefined;
}
