import { ExpressionError, listTokens, type Token } from '../expression/token.ts';
import { toTable } from '../names.ts';
import type { Schema } from '../shape.ts';

/** What a name in an expression means. */
interface ExpressionName {
  /** `related`: a field of the rows of {@link relation}. */
  readonly kind: 'field' | 'relation' | 'related';
  readonly name: string;
  readonly relation: string;
}

const LITERALS: ReadonlySet<string> = new Set(['true', 'false', 'null', 'and', 'or', 'not']);

function readName(tokens: readonly Token[], index: number): ExpressionName | undefined {
  const at = (offset: number): string => tokens[index + offset]?.text ?? '';
  const name = at(0);
  if (tokens[index]?.kind !== 'word' || LITERALS.has(name) || at(-1) === '.') return undefined;
  if (at(-1) === '(' && at(-3) === '.') return { kind: 'related', name, relation: at(-4) };
  if (at(1) === '.') return { kind: 'relation', name, relation: name };
  return at(1) === '(' ? undefined : { kind: 'field', name, relation: '' };
}

function listSafely(text: string): readonly Token[] {
  try {
    return listTokens(text);
  } catch (error) {
    if (error instanceof ExpressionError) return [];
    throw error;
  }
}

/** Gives the new names; the same where nothing is renamed. */
export interface ExpressionRenames {
  /** A field of a schema, by its own name or its column's. */
  column(schema: string, name: string): string;
  other(subject: 'relation' | 'schema', name: string): string;
}

/** A new name for one that is written with `_` for each `-`. */
function replaceWritten(name: string, rename: (name: string) => string): string {
  const made = rename(name);
  if (made !== name || !name.includes('_')) return toTable(made);
  const dashed = name.replaceAll('_', '-');
  const other = rename(dashed);
  return other === dashed ? name : toTable(other);
}

/** Replaces the names in an expression of a schema; in an invalid text there are none. */
export function replaceExpressionNames(
  text: string,
  { name: own, relations = [] }: Pick<Schema, 'name' | 'relations'>,
  renames: ExpressionRenames,
): string {
  const findRelation = (name: string) => relations.find((one) => toTable(one.name ?? one.schema) === name);
  const rename = ({ kind, name, relation }: ExpressionName): string => {
    if (kind === 'relation') {
      const made = replaceWritten(name, (word) => renames.other('relation', word));
      // A relation that only points here is called by its schema.
      if (made !== name || findRelation(name) !== undefined) return made;
      return replaceWritten(name, (word) => renames.other('schema', word));
    }
    const schema = kind === 'field' ? own : (findRelation(relation)?.schema ?? relation);
    return replaceWritten(name, (word) => renames.column(schema, word));
  };
  const tokens = listSafely(text);
  let made = '';
  let last = 0;
  for (const [index, { at, end }] of tokens.entries()) {
    const name = readName(tokens, index);
    if (name === undefined) continue;
    made += text.slice(last, at - 1) + rename(name);
    last = end - 1;
  }
  return made + text.slice(last);
}
