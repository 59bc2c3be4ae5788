import { findFieldReserve, findRelationReserve, findSchemaReserve } from '../../model/names.ts';
import { NAME_LENGTH, NAME_PATTERN } from '../../model/shape/text.ts';

/** What is wrong with the name of a definition or a field; undefined where nothing is. */
export function findNameFault(name: string): string | undefined {
  if (name.length > NAME_LENGTH) return `A name has at most ${NAME_LENGTH} characters.`;
  if (NAME_PATTERN.test(name)) return undefined;
  return 'A name starts with a lower case letter and holds only letters, digits, "-" and "_".';
}

const toReason = (reserve: string | undefined): string | undefined =>
  reserve === undefined ? undefined : `That name is taken: ${reserve}.`;

/** As {@link findNameFault}, and for names that Treadle or a database has taken. */
export const findSchemaNameFault = (name: string): string | undefined =>
  findNameFault(name) ?? toReason(findSchemaReserve(name));

export const findFieldNameFault = (name: string): string | undefined =>
  findNameFault(name) ?? toReason(findFieldReserve(name));

export const findRelationNameFault = (name: string): string | undefined =>
  findNameFault(name) ?? toReason(findRelationReserve(name));
