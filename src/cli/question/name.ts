import { NAME_LENGTH, NAME_PATTERN } from '../../model/shape/text.ts';

/** What is wrong with the name of a definition or a field; undefined where nothing is. */
export function findNameFault(name: string): string | undefined {
  if (name.length > NAME_LENGTH) return `A name has at most ${NAME_LENGTH} characters.`;
  if (NAME_PATTERN.test(name)) return undefined;
  return 'A name starts with a lower case letter and holds only letters, digits, "-" and "_".';
}
