import { isObject } from '../core/record.ts';
import { toReason } from '../core/text/reason.ts';

/** An error in a template, with its place. */
export interface TemplateError {
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
}

/** Reads place and reason from an error of Handlebars. */
export function toTemplateError(error: unknown): TemplateError {
  if (!(error instanceof Error)) return { message: toReason(error) };
  const located: Error & { readonly lineNumber?: number; readonly column?: number } = error;
  const { lineNumber, column } = located;
  const parse = /^Parse error on line (\d+):\n(.*)\n(-*)\^\n([\s\S]*)$/.exec(error.message);
  if (parse) {
    return {
      message: `The template cannot be parsed near "${(parse[2] ?? '').trim()}".`,
      line: Number(parse[1]),
      column: (parse[3] ?? '').length + 1,
    };
  }
  const message = error.message.replace(/ - \d+:\d+$/, '');
  return {
    message: message.endsWith('.') ? message : `${message}.`,
    ...(lineNumber === undefined ? {} : { line: lineNumber }),
    ...(column === undefined ? {} : { column: column + 1 }),
  };
}

/** A node of a syntax tree, of any type. */
interface Node {
  readonly type?: unknown;
  readonly loc?: { readonly start: { readonly line: number; readonly column: number } };
  readonly name?: Node;
  readonly path?: Node;
  readonly params?: readonly Node[];
  readonly blockParams?: readonly unknown[];
  readonly key?: unknown;
  readonly value?: unknown;
  readonly original?: unknown;
  readonly parts?: readonly unknown[];
  readonly depth?: number;
  readonly data?: boolean;
}

/** Calls `visit` for every node of a syntax tree. */
function walk(node: unknown, visit: (node: Node) => void): void {
  if (Array.isArray(node)) for (const item of node) walk(item, visit);
  else if (isObject(node)) {
    if (typeof node.type === 'string') visit(node);
    for (const [key, value] of Object.entries(node)) if (key !== 'loc' && isObject(value)) walk(value, visit);
  }
}

/** The names that a template refers to, for compiling and checking. */
export interface References {
  /** Partials that it uses. */
  readonly partials: readonly string[];
  /** Partials that it defines with `{{#*inline "x"}}`. */
  readonly inline: readonly string[];
  /** Helpers that it calls with parameters, with their places. */
  readonly helpers: readonly { readonly name: string; readonly line: number; readonly column: number }[];
  /** Helpers that it calls with a text, such as `{{asset "/x.css"}}`, and every place that asks for a size of an image. */
  readonly literals: readonly {
    readonly name: string;
    readonly value: string;
    readonly line: number;
    readonly column: number;
  }[];
  /** Texts that it translates with `{{t "…"}}`. */
  readonly texts: readonly string[];
  /** The data that it reads, and the fields of its forms. */
  readonly paths: readonly TemplatePath[];
  /** Names that it gives values itself: block parameters, and named values of helpers and partials. */
  readonly given: readonly string[];
}

/** Data that a template reads, such as `item.article_title`, or a field of a form. */
export interface TemplatePath {
  readonly parts: readonly string[];
  readonly line: number;
  readonly column: number;
}

const TRANSLATING: ReadonlySet<unknown> = new Set(['t', 'i18n', 'rich']);

function findText({ path, params: [first] = [] }: Node): string | undefined {
  const isText = TRANSLATING.has(path?.original) && first?.type === 'StringLiteral';
  return isText ? String(first.value) : undefined;
}

const CALLS: ReadonlySet<unknown> = new Set(['MustacheStatement', 'BlockStatement', 'SubExpression']);

function findCall({ path, params, loc }: Node): References['helpers'][number] | undefined {
  const isCall = params && params.length > 0 && path?.parts?.length === 1 && path.depth === 0 && !path.data;
  if (!isCall || typeof path.original !== 'string') return undefined;
  return { name: path.original, line: loc?.start.line ?? 1, column: (loc?.start.column ?? 0) + 1 };
}

/** The text of a call whose only parameter is a text. */
function findLiteral({ params: [first, ...rest] = [] }: Node, name: string): string | undefined {
  if (rest.length === 0 && first?.type === 'StringLiteral') return String(first.value);
  return name === 'image' ? '' : undefined;
}

const toPlace = ({ loc }: Node): Pick<TemplatePath, 'line' | 'column'> => ({
  line: loc?.start.line ?? 1,
  column: (loc?.start.column ?? 0) + 1,
});

/** A field of a form, or a column that a form filters by. */
const FIELD = /\bname="(?:filter\[)?([A-Za-z]\w*)/g;

const toHtml = ({ original }: Node): string => (typeof original === 'string' ? original : '');

/** The place of a sign of the HTML between two expressions. */
function toPlaceIn(node: Node, at: number): Pick<TemplatePath, 'line' | 'column'> {
  const start = toPlace(node);
  const before = toHtml(node).slice(0, at).split('\n');
  const last = before.at(-1)?.length ?? 0;
  return { line: start.line + before.length - 1, column: before.length === 1 ? start.column + last : last + 1 };
}

/** The form fields in the HTML between two expressions. */
const listFields = (node: Node): TemplatePath[] =>
  [...toHtml(node).matchAll(FIELD)].map((found) => {
    const [whole, name = ''] = found;
    return { parts: [name], ...toPlaceIn(node, found.index + whole.length - name.length) };
  });

/** A size of an image in an address, such as `/hero.jpg?width=640`. */
const WIDTH = /\?(?:[\w=.-]+&(?:amp;)?)*width=/g;

/** The images that the HTML between two expressions asks for in another size, as calls of `image`. */
const listWidths = (node: Node): References['literals'][number][] =>
  [...toHtml(node).matchAll(WIDTH)].map(({ index }) => ({ name: 'image', value: '', ...toPlaceIn(node, index) }));

/** The data that a node reads. `@root.x` is data; `@index` and the like are not. */
function listPaths(node: Node): TemplatePath[] {
  if (node.type === 'ContentStatement') return listFields(node);
  if (node.type !== 'PathExpression') return [];
  const parts = (node.parts ?? []).map(String);
  if (node.data === true && parts[0] !== 'root') return [];
  return [{ parts: node.data === true ? parts.slice(1) : parts, ...toPlace(node) }];
}

/** The column of `{{sorturl "column"}}`. */
function listSorted({ path, params: [first] = [] }: Node): TemplatePath[] {
  const isSorted = path?.original === 'sorturl' && first?.type === 'StringLiteral';
  return isSorted ? [{ parts: [String(first.value).replace(/^-/, '')], ...toPlace(first) }] : [];
}

function listGiven({ type, key, blockParams = [] }: Node): string[] {
  if (type === 'HashPair') return [String(key)];
  return type === 'Program' ? blockParams.map(String) : [];
}

/** Walks a template's syntax tree. Dynamic partials are resolved when rendering. */
export function findReferences(program: unknown): References {
  const partials = new Set<string>();
  const inline = new Set<string>();
  const helpers: References['helpers'][number][] = [];
  const literals: References['literals'][number][] = [];
  const texts = new Set<string>();
  const paths: TemplatePath[] = [];
  const given = new Set<string>();
  walk(program, (node) => {
    const name = typeof node.name?.original === 'string' ? node.name.original : '@';
    const isPartial = node.type === 'PartialStatement' || node.type === 'PartialBlockStatement';
    if (isPartial && !name.startsWith('@')) partials.add(name);
    const [first] = node.params ?? [];
    if (node.type === 'DecoratorBlock' && typeof first?.value === 'string') inline.add(first.value);
    paths.push(...listPaths(node), ...(CALLS.has(node.type) ? listSorted(node) : []));
    for (const own of listGiven(node)) given.add(own);
    const call = CALLS.has(node.type) ? findCall(node) : undefined;
    if (call) helpers.push(call);
    const value = call && findLiteral(node, call.name);
    if (call && value !== undefined) literals.push({ ...call, value });
    if (node.type === 'ContentStatement') literals.push(...listWidths(node));
    const text = CALLS.has(node.type) ? findText(node) : undefined;
    if (text !== undefined) texts.add(text);
  });
  for (const name of inline) partials.delete(name);
  return {
    partials: [...partials],
    inline: [...inline],
    helpers,
    literals,
    texts: [...texts],
    paths,
    given: [...given],
  };
}
