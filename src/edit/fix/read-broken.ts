import { type ParseError, parse, printParseErrorCode, visit } from 'jsonc-parser';
import type { FileKind } from '../../model/shape.ts';

/** Kinds whose files may hold an address with a password, or a hash: no fix repeats a whole file of them. */
const PRIVATE_KINDS: ReadonlySet<string> = new Set(['settings', 'app', 'webhook']);

/**
 * The value of a text that is almost JSON: with a comma after the last part, without one between two parts, or with
 * comments. Undefined where more is wrong, because then something would be lost.
 */
export function readBroken(kind: FileKind | undefined, text: string): unknown {
  if (kind === undefined || PRIVATE_KINDS.has(kind)) return undefined;
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true, disallowComments: false });
  if (errors.some(({ error }) => printParseErrorCode(error) !== 'CommaExpected')) return undefined;
  return typeof value === 'object' && value !== null && !hasRepeatedKey(text) ? value : undefined;
}

/** Whether an object names a key twice: the parser keeps only the last. */
function hasRepeatedKey(text: string): boolean {
  const seen = new Set<string>();
  const state = { isRepeated: false };
  visit(text, {
    onObjectProperty(key, _offset, _length, _line, _character, path) {
      const name = JSON.stringify([...path(), key]);
      if (seen.has(name) || key === '__proto__') state.isRepeated = true;
      seen.add(name);
    },
  });
  return state.isRepeated;
}
