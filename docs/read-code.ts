// Collects what `import … from 'treadle'` gives, and the template helpers, with their TSDoc, for docs/generate.ts.
import { join, relative } from 'node:path';
import { API, type Checker, type Project, type Symbol as TypeSymbol } from 'typescript/unstable/sync';
import { packageRoot } from '../src/core/file/package-root.ts';

/** A member, an export or a helper, as the reference shows it. */
export interface Entry {
  readonly name: string;
  /** Its declarations without bodies: several for overloads. */
  readonly signatures: readonly string[];
  readonly text: string;
  /** File of the declaration, from the root. */
  readonly file: string;
}

export interface Exported extends Entry {
  readonly kind: 'class' | 'interface' | 'function' | 'type' | 'value';
  readonly members: readonly Entry[];
}

/** Values of SymbolFlags of the compiler. */
const FLAG = { value: 2 | 1, function: 16, class: 32, interface: 64, type: 524288, alias: 2097152 } as const;

interface SyntaxNode {
  readonly kind: number;
  readonly body?: SyntaxNode;
  readonly parent: SyntaxNode;
  readonly pos: number;
  getText(): string;
}

function toKind(flags: number): Exported['kind'] {
  const kinds = ['class', 'interface', 'function', 'type', 'value'] as const;
  return kinds.find((kind) => flags & FLAG[kind]) ?? 'type';
}

const toLine = (text: string): string =>
  text
    .replace(/\/\*\*?[\s\S]*?\*\/|\/\/[^\n]*/g, '')
    .replace(/\s+/g, ' ')
    .replace(/([([]) /g, '$1')
    .replace(/,? ([)\]])/g, '$1')
    .trim();

/** A declaration without its body and without words that say nothing to the caller. */
function toSignature(node: SyntaxNode): string {
  const whole = node.getText();
  const body = node.body?.getText();
  const head = body === undefined ? whole : whole.slice(0, whole.length - body.length);
  return toLine(head)
    .replace(/^(?:(?:export|declare|public|override|readonly|async|function|const|get) )+/, '')
    .replace(/^(\w+)\(\)(: .*)$/, (all, name, type) => (/^(?:override )?get /.test(whole) ? name + type : all))
    .replace(/ = '\w+'$/, ': string')
    .replace(/[;{]$/, '')
    .trim();
}

const LINK = /\{@link (?:\w+\.)?(\w+)\}/g;

/** The comment as Markdown in one line, with its tags as sentences. */
function toText(checker: Checker, symbol: TypeSymbol): string {
  const tags = checker.getJsDocTagsOfSymbol(symbol);
  const said = checker.getDocumentationCommentOfSymbol(symbol);
  const sentences = tags.map(({ name, text }) => {
    const words = toPlain(text);
    if (name === 'throws') return `Throws ${words.replace(/^([A-Z_]+(?:, [A-Z_]+)*)/, (codes) => codes.replace(/[A-Z_]+/g, '`$&`')).replace(/; ([A-Z_]{4,})/g, '; `$1`')}.`;
    if (name === 'param' || name === 'template') return `\`${words.replace(/^(\w+)\s*/, '$1`: ')}`;
    if (name === 'returns') return `Returns ${words.charAt(0).toLowerCase()}${words.slice(1)}`;
    return '';
  });
  return [said, ...sentences]
    .map((part) => part.replace(LINK, '`$1`').replace(/\s+/g, ' ').trim().replace(/\.\.$/, '.'))
    .filter(Boolean)
    .join(' ');
}

function toPlain(text: unknown): string {
  if (typeof text === 'string') return text;
  if (Array.isArray(text)) return text.map((part: { readonly text?: string }) => part.text ?? '').join('');
  return '';
}

class Reader {
  readonly #checker: Checker;
  readonly #project: Project;

  constructor(project: Project) {
    this.#project = project;
    this.#checker = project.checker;
  }

  #nodes(symbol: TypeSymbol): SyntaxNode[] {
    return symbol.declarations.map((handle) => handle.resolve(this.#project) as unknown as SyntaxNode);
  }

  #isHidden(symbol: TypeSymbol, [node]: readonly SyntaxNode[]): boolean {
    if (node === undefined || symbol.name.includes('#')) return true;
    // Of the language: `stack` of an error.
    if (!symbol.declarations[0]?.path.startsWith(join(packageRoot, 'src'))) return true;
    if (/^(?:private|protected) /.test(node.getText())) return true;
    return this.#checker.getJsDocTagsOfSymbol(symbol).some(({ name }) => name === 'internal');
  }

  #entry(symbol: TypeSymbol, nodes: readonly SyntaxNode[]): Entry {
    const isOverloaded = nodes.length > 1;
    const shown = isOverloaded ? nodes.filter(({ body }) => body === undefined) : nodes;
    return {
      name: symbol.name,
      signatures: shown.map(toSignature),
      text: toText(this.#checker, symbol),
      file: relative(packageRoot, symbol.declarations[0]?.path ?? ''),
    };
  }

  /** Members of a class or an interface, those of its bases included. */
  #members(symbol: TypeSymbol): Entry[] {
    const type = this.#checker.getDeclaredTypeOfSymbol(symbol);
    return this.#checker
      .getPropertiesOfType(type)
      .map((member) => ({ member, nodes: this.#nodes(member) }))
      .filter(({ member, nodes }) => !this.#isHidden(member, nodes))
      .map(({ member, nodes }) => this.#entry(member, nodes));
  }

  read(file: string): Exported[] {
    const source = this.#project.program.getSourceFile(join(packageRoot, file));
    const module = source && this.#checker.getSymbolAtLocation(source);
    if (!module) throw new Error(`${file} is not part of the project.`);
    return this.#checker.getExportsOfModule(module).map((found) => {
      const symbol = found.flags & FLAG.alias ? this.#checker.getAliasedSymbol(found) : found;
      const kind = toKind(symbol.flags);
      const hasMembers = kind === 'class' || kind === 'interface';
      return {
        ...this.#entry(symbol, this.#nodes(symbol)),
        name: found.name,
        kind,
        members: hasMembers ? this.#members(symbol) : [],
      };
    });
  }

  /** The comments of the properties of object literals: `/** … *\/ name: …`. */
  readProperties(file: string): Map<string, string> {
    const source = this.#project.program.getSourceFile(join(packageRoot, file));
    const text = source?.text ?? '';
    return new Map(
      [...text.matchAll(/^ {2,4}\/\*\* (.+?) \*\/\n\s+(\w+)[:(,]/gm)].map(([, said = '', name = '']) => [name, said]),
    );
  }
}

/** Runs with the compiler, and ends its process. */
export function withReader<T>(work: (reader: Reader) => T): T {
  const api = new API({ cwd: packageRoot });
  try {
    const file = join(packageRoot, 'tsconfig.json');
    const project = api.updateSnapshot({ openProjects: [file] }).getProject(file);
    if (!project) throw new Error('tsconfig.json is no project.');
    return work(new Reader(project));
  } finally {
    api.close();
  }
}
