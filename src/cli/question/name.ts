import { findFieldReserve, findNameReserve, findRelationReserve, findSchemaReserve } from '../../model/names.ts';
import { NAME_LENGTH, NAME_PATTERN } from '../../model/shape/text.ts';

const toReason = (reserve: string | undefined): string | undefined =>
  reserve === undefined ? undefined : `That name is taken: ${reserve}.`;

/** The fault of a definition's or field's name; undefined for a valid name. */
export function findNameFault(name: string): string | undefined {
  if (name.length > NAME_LENGTH) return `A name has at most ${NAME_LENGTH} characters.`;
  if (NAME_PATTERN.test(name)) return toReason(findNameReserve(name));
  return 'A name starts with a lower case letter and holds only letters, digits, "-" and "_".';
}

/** As {@link findNameFault}, and also refuses names reserved by Treadle or a database. */
export const findSchemaNameFault = (name: string): string | undefined =>
  findNameFault(name) ?? toReason(findSchemaReserve(name));

export const findFieldNameFault = (name: string): string | undefined =>
  findNameFault(name) ?? toReason(findFieldReserve(name));

export const findRelationNameFault = (name: string): string | undefined =>
  findNameFault(name) ?? toReason(findRelationReserve(name));
