import { createRequire } from 'node:module';
import type Handlebars from 'handlebars';
import type { Names } from '../../model/rename/renames.ts';
import { replaceWords } from '../../model/rename/words.ts';

/** Loaded only to rename a list. */
const load: (name: 'handlebars') => typeof Handlebars = createRequire(import.meta.url);

/** True for a node that calls a helper or names a value. */
const isCall = (node: hbs.AST.Node): node is hbs.AST.BlockStatement =>
  /^(?:Mustache|Block|Partial|PartialBlock)/.test(node.type);
const isSub = (node: hbs.AST.Node): node is hbs.AST.SubExpression => node.type === 'SubExpression';
const isPath = (node: hbs.AST.Node): node is hbs.AST.PathExpression => node.type === 'PathExpression';

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Blocks that change the context in which names are looked up. */
const ENTERING: ReadonlySet<string> = new Set(['each', 'with']);

/**
 * A template with the new names of columns and lists. Columns are renamed wherever they are a whole word. A
 * list is renamed only in an expression, as a property (`item.comment`) or inside a row's block: at the top
 * level a controller may have chosen the same name.
 */
export function renameInTemplate(text: string, names: { readonly columns: Names; readonly relations: Names }): string {
  const renamed = replaceWords(text, (word) => names.columns.get(word) ?? word);
  if (names.relations.size === 0) return renamed;
  let program: hbs.AST.Program;
  try {
    program = load('handlebars').parse(renamed);
  } catch {
    // `check` reports a broken template; its old names are listed.
    return renamed;
  }
  const finder = new Finder(renamed, names.relations);
  finder.program(program, { depth: 0, own: new Set() });
  return finder.edits
    .sort((a, b) => b.start - a.start)
    .reduce((made, { start, end, text: part }) => made.slice(0, start) + part + made.slice(end), renamed);
}

/** Scope of a statement in a template. */
interface Place {
  /** Number of enclosing row blocks. */
  readonly depth: number;
  /** Block parameters: `as |item|`. */
  readonly own: ReadonlySet<string>;
}

/** Finds the paths that name a list, with their positions. */
class Finder {
  readonly edits: Edit[] = [];
  readonly #text: string;
  readonly #names: Names;
  readonly #lines: number[];

  constructor(text: string, names: Names) {
    this.#text = text;
    this.#names = names;
    this.#lines = [0];
    for (const match of text.matchAll(/\n/g)) this.#lines.push(match.index + 1);
  }

  program(program: hbs.AST.Program | undefined, place: Place): void {
    for (const statement of program?.body ?? []) this.#statement(statement, place);
  }

  #statement(call: hbs.AST.Statement, place: Place): void {
    const { type } = call;
    if (!isCall(call)) return;
    const isBlock = type.endsWith('BlockStatement');
    const isValue = type === 'MustacheStatement' && call.params.length === 0 && call.hash === undefined;
    if (isValue) this.#expression(call.path, place);
    this.#parameters(call, place);
    if (!isBlock) return;
    const { original }: { readonly original?: unknown } = call.path ?? {};
    const depth = ENTERING.has(String(original)) ? place.depth + 1 : place.depth;
    this.program(call.program, { depth, own: new Set([...place.own, ...(call.program?.blockParams ?? [])]) });
    this.program(call.inverse, place);
  }

  #parameters(call: { readonly params: hbs.AST.Expression[]; readonly hash?: hbs.AST.Hash }, place: Place): void {
    for (const parameter of call.params ?? []) this.#expression(parameter, place);
    for (const { value } of call.hash?.pairs ?? []) this.#expression(value, place);
  }

  #expression(expression: hbs.AST.Expression, place: Place): void {
    if (isSub(expression)) this.#parameters(expression, place);
    else if (isPath(expression)) this.#path(expression, place);
  }

  #path(path: hbs.AST.PathExpression, { depth, own }: Place): void {
    const start = this.#offset(path.loc.start);
    const end = this.#offset(path.loc.end);
    const source = this.#text.slice(start, end);
    // `@root.comment` refers to the page's own data.
    if (path.data) return;
    const isInRow = depth - path.depth > 0;
    let part = -1;
    const text = replaceWords(source, (word) => {
      if (word === 'this') return word;
      part += 1;
      const isOther = part === 0 && (!isInRow || (own.has(word) && !source.startsWith('this')));
      return isOther ? word : (this.#names.get(word) ?? word);
    });
    if (text !== source) this.edits.push({ start, end, text });
  }

  #offset({ line, column }: { readonly line: number; readonly column: number }): number {
    return (this.#lines[line - 1] ?? 0) + column;
  }
}
