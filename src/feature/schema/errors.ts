import { TreadleError } from '../../core/errors.ts';
import type { Messages, Refusal } from '../../core/request/response.ts';
import { noteOthers, noteRule } from '../../core/text/rule-note.ts';
import { toLocalText, translate } from '../../core/text/translate.ts';
import { toExclusionName } from '../../database/index/exclude-rule.ts';
import { toInvalidMessage } from '../../model/field/validate.ts';
import type { SchemaModel } from '../../model/model.ts';
import { toOverlapMessage, toReversedMessage } from '../../model/period-message.ts';
import type { ConstraintDetail } from '../../store/write/row-sql.ts';

/** A validation failure. Its message is the single error, or names the invalid columns. */
export function toInvalid(validation: Readonly<Messages>): Refusal {
  noteOthers(validation, () => ({ rule: 'value' }));
  return { status: 422, message: toInvalidMessage(validation), validation, code: 'VALIDATION_FAILED' };
}

/** As {@link toInvalid}, for values that another row has. */
export const toTaken = (validation: Readonly<Messages>): Refusal => ({
  status: 409,
  message: toInvalidMessage(validation),
  validation,
  code: 'VALUE_TAKEN',
});

/** How a message ends that lists the names which there are. */
const NAMES = /(?:Did you mean "[^"]+"\?|There (?:are|is only) .+\.|None yet\.)$/;

/** As {@link toInvalid}, for the parameters of a search. */
export function toWrongSearch(validation: Readonly<Record<string, string>>): Refusal {
  noteOthers(validation, (message) => ({ rule: NAMES.test(message) ? 'unknown' : 'value' }));
  return { status: 400, message: toInvalidMessage(validation), validation, code: 'SEARCH_INVALID' };
}

/** The message for an id of a row that does not exist, or that the caller may not see. */
export const toMissingMessage = (label: string, id: unknown): string =>
  noteRule(`${label} ${String(id)} does not exist`, { rule: 'reference', params: { id } });

/** The message for a row of a tree that would be below itself. @param id Its id; undefined if the write made it. */
export function toCycleMessage(singular: string, id: number | undefined, parent: unknown): string {
  return noteRule(toCycleText(singular, id, parent), { rule: 'tree' });
}

function toCycleText(singular: string, id: number | undefined, parent: unknown): string {
  if (id === undefined || typeof parent !== 'number') return `${singular} would be below itself`;
  if (id === parent) return `${singular} ${id} cannot be below itself`;
  return `${singular} ${parent} is below ${singular} ${id}, so it cannot be above it`;
}

/** The failure for a row that does not exist, or that the caller may not see: nobody learns which. */
export const toMissingRow = ({ singular }: SchemaModel, { value }: { readonly value: unknown }): Refusal => ({
  status: 404,
  message: translate('{singular} {id} does not exist.', {
    singular: toLocalText(singular),
    id: String(value).slice(0, MOST_SHOWN),
  }),
  code: 'ROW_MISSING',
});

/** Most characters of a value that a message repeats. */
const MOST_SHOWN = 64;

export const notOwned = (plural: string): Refusal => ({
  status: 403,
  message: `${plural} do not belong to a profile, so a user call cannot reach them.`,
  code: 'SCHEMA_WITHOUT_OWNER',
});

export const outOfReach = (singular: string): Refusal => ({
  status: 403,
  message: `The change would move the ${singular} out of the rows that you may change.`,
  code: 'ROW_OUT_OF_REACH',
});

/**
 * The failure for values that only together are refused, because of another row or of each other; undefined if the constraint is of one
 * column. That a period is taken stands beside its start.
 */
export function explainTogether(schema: SchemaModel, { kind, columns, rule }: ConstraintDetail): Refusal | undefined {
  const period = rule === undefined ? undefined : schema.exclude.find((own) => toExclusionName(schema, own) === rule);
  if (kind === 'exclude') {
    if (period === undefined) {
      return { status: 409, message: translate('The period of another row overlaps'), code: 'PERIOD_TAKEN' };
    }
    const message = toOverlapMessage(schema, period);
    return { status: 409, message, validation: { [period.range[0]]: message }, code: 'PERIOD_TAKEN' };
  }
  if (kind === 'check') {
    return period && toInvalid({ [period.range[1]]: toReversedMessage(schema, period) });
  }
  const together = kind === 'unique' ? schema.unique.find((own) => own.columns.join() === columns.join()) : undefined;
  if (together === undefined) return undefined;
  const message = noteRule(toLocalText(together.message), { rule: 'taken', params: { columns: together.columns } });
  const validation = Object.fromEntries(together.columns.map((name) => [name, message]));
  return { status: 409, message, validation, code: 'VALUE_TAKEN' };
}

/** The constraint that a write violated; undefined for any other error. */
export function findConstraint(error: unknown): ConstraintDetail | undefined {
  return error instanceof TreadleError && error.code === 'DATABASE_CONSTRAINT'
    ? (error.detail as ConstraintDetail)
    : undefined;
}
