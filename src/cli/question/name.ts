import { findFieldReserve, findNameReserve, findRelationReserve, findSchemaReserve } from '../../model/names.ts';
import { NAME_LENGTH, NAME_PATTERN } from '../../model/shape/text.ts';

const toReason = (reserve: string | undefined): string | undefined =>
  reserve === undefined ? undefined : `That name is taken: ${reserve}.`;

/** The error of a definition's or field's name; undefined for a valid name. */
export function findNameError(name: string): string | undefined {
  if (name.length > NAME_LENGTH) return `A name has at most ${NAME_LENGTH} characters.`;
  if (NAME_PATTERN.test(name)) return toReason(findNameReserve(name));
  return 'A name starts with a lower case letter and holds only letters, digits, "-" and "_".';
}

/** As {@link findNameError}, and also refuses names reserved by Treadle or a database. */
export const findSchemaNameError = (name: string): string | undefined =>
  findNameError(name) ?? toReason(findSchemaReserve(name));

export const findFieldNameError = (name: string): string | undefined =>
  findNameError(name) ?? toReason(findFieldReserve(name));

export const findRelationNameError = (name: string): string | undefined =>
  findNameError(name) ?? toReason(findRelationReserve(name));
