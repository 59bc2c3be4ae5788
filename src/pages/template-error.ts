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
  const { lineNumber, column } = error as Error & { lineNumber?: number; column?: number };
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

/** Calls `visit` for every node of a syntax tree. */
function walk(node: unknown, visit: (node: Record<string, unknown>) => void): void {
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

function findText({ path, params }: Record<string, unknown>): string | undefined {
  const [first] = Array.isArray(params) ? (params as { type?: string; value?: unknown }[]) : [];
  const isText = isObject(path) && TRANSLATING.has(path.original) && first?.type === 'StringLiteral';
  return isText ? String(first.value) : undefined;
}

const CALLS: ReadonlySet<unknown> = new Set(['MustacheStatement', 'BlockStatement', 'SubExpression']);

function findCall(node: Record<string, unknown>): References['helpers'][number] | undefined {
  const { path, params, loc } = node as {
    path?: { original?: unknown; parts?: unknown[]; depth?: number; data?: boolean };
    params?: unknown[];
    loc?: { start: { line: number; column: number } };
  };
  const isCall = params && params.length > 0 && path?.parts?.length === 1 && path.depth === 0 && !path.data;
  if (!isCall || typeof path.original !== 'string') return undefined;
  return { name: path.original, line: loc?.start.line ?? 1, column: (loc?.start.column ?? 0) + 1 };
}

/** The text of a call whose only parameter is a text. */
function findLiteral({ params }: Record<string, unknown>, name: string): string | undefined {
  const [first, ...rest] = params as { type?: string; value?: unknown }[];
  if (rest.length === 0 && first?.type === 'StringLiteral') return String(first.value);
  return name === 'image' ? '' : undefined;
}

interface LocatedError {
  readonly loc?: { readonly start: { readonly line: number; readonly column: number } };
}

const toPlace = ({ loc }: LocatedError): Pick<TemplatePath, 'line' | 'column'> => ({
  line: loc?.start.line ?? 1,
  column: (loc?.start.column ?? 0) + 1,
});

/** A field of a form, or a column that a form filters by. */
const FIELD = /\bname="(?:filter\[)?([A-Za-z]\w*)/g;

type Content = LocatedError & { readonly original?: unknown };

const toHtml = ({ original }: Content): string => (typeof original === 'string' ? original : '');

/** The place of a sign of the HTML between two expressions. */
function toPlaceIn(node: Content, at: number): Pick<TemplatePath, 'line' | 'column'> {
  const start = toPlace(node);
  const before = toHtml(node).slice(0, at).split('\n');
  const last = before.at(-1)?.length ?? 0;
  return { line: start.line + before.length - 1, column: before.length === 1 ? start.column + last : last + 1 };
}

/** The form fields in the HTML between two expressions. */
const listFields = (node: Content): TemplatePath[] =>
  [...toHtml(node).matchAll(FIELD)].map((found) => {
    const [whole, name = ''] = found;
    return { parts: [name], ...toPlaceIn(node, found.index + whole.length - name.length) };
  });

/** A size of an image in an address, such as `/hero.jpg?width=640`. */
const WIDTH = /\?(?:[\w=.-]+&(?:amp;)?)*width=/g;

/** The images that the HTML between two expressions asks for in another size, as calls of `image`. */
const listWidths = (node: Content): References['literals'][number][] =>
  [...toHtml(node).matchAll(WIDTH)].map(({ index }) => ({ name: 'image', value: '', ...toPlaceIn(node, index) }));

/** The data that a node reads. `@root.x` is data; `@index` and the like are not. */
function listPaths(node: Record<string, unknown>): TemplatePath[] {
  if (node.type === 'ContentStatement') return listFields(node as LocatedError);
  if (node.type !== 'PathExpression') return [];
  const parts = (node.parts as unknown[]).map(String);
  if (node.data === true && parts[0] !== 'root') return [];
  return [{ parts: node.data === true ? parts.slice(1) : parts, ...toPlace(node as LocatedError) }];
}

/** The column of `{{sorturl "column"}}`. */
function listSorted({ path, params }: Record<string, unknown>): TemplatePath[] {
  const [first] = Array.isArray(params) ? (params as (LocatedError & { type?: string; value?: unknown })[]) : [];
  const isSorted = isObject(path) && path.original === 'sorturl' && first?.type === 'StringLiteral';
  return isSorted ? [{ parts: [String(first.value).replace(/^-/, '')], ...toPlace(first) }] : [];
}

function listGiven({ type, key, blockParams }: Record<string, unknown>): string[] {
  if (type === 'HashPair') return [String(key)];
  return type === 'Program' && Array.isArray(blockParams) ? blockParams.map(String) : [];
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
    const name = isObject(node.name) && typeof node.name.original === 'string' ? node.name.original : '@';
    const isPartial = node.type === 'PartialStatement' || node.type === 'PartialBlockStatement';
    if (isPartial && !name.startsWith('@')) partials.add(name);
    if (node.type === 'DecoratorBlock' && Array.isArray(node.params)) {
      const [first] = node.params as unknown[];
      if (isObject(first) && typeof first.value === 'string') inline.add(first.value);
    }
    paths.push(...listPaths(node), ...(CALLS.has(node.type) ? listSorted(node) : []));
    for (const own of listGiven(node)) given.add(own);
    const call = CALLS.has(node.type) ? findCall(node) : undefined;
    if (call) helpers.push(call);
    const value = call && findLiteral(node, call.name);
    if (call && value !== undefined) literals.push({ ...call, value });
    if (node.type === 'ContentStatement') literals.push(...listWidths(node as Content));
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
