// Splits the server: what its first answer does not need is a file of its own, read at the first use of one of its names. A start
// decodes and evaluates the rest alone. Sources import as usual; only here an import of such a module becomes a property of an object.
import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { build, transform } from 'esbuild';

/** The object with the names of the late part, in both files; `bin/launch.ts` fills it at its first use. */
const LATE = 'treadleLate';
/** What the late part imports from the server. */
const SHARED = 'shared:';
const IMPORT = /^import (?!type )([^;']+?) from '([^']+)';$/gm;
/** An import of a module for what it does. */
const ALONE = /^import '([^']+)';$/gm;
const NAMED = /\{([^}]*)\}/;

/** Bindings of an import: local name to imported name; `default`, or `*` for the namespace. */
function readClause(clause) {
  const named = NAMED.exec(clause)?.[1] ?? '';
  const found = named
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '' && !part.startsWith('type '))
    .map((part) => part.split(/\s+as\s+/))
    .map(([imported, local = imported]) => [local, imported]);
  for (const part of clause.replace(NAMED, '').split(',').map((one) => one.trim()).filter(Boolean)) {
    if (part.startsWith('type ')) continue;
    const [, local] = /^\*\s+as\s+(\w+)$/.exec(part) ?? [];
    found.push(local === undefined ? [part, 'default'] : [local, '*']);
  }
  return found;
}

/** The members of a package that a text uses: the whole of zod is twice its half. Types are no members. */
async function listMembers(from, local, text) {
  const known = await import(from);
  const used = text.matchAll(new RegExp(`(?<![\\w$.])${local}\\s*\\.(\\w+)`, 'g'));
  return [...used].map(([, member]) => member).filter((member) => member in known);
}

/** Modules that become late, and the names that the server uses of them. */
export class Late {
  #root;
  #list;
  /** Target and imported name to its property. */
  #names = new Map();
  /** Late modules that are imported for what they do. */
  #alone = new Set();

  /** @param list Files and packages. */
  constructor(root, list) {
    const lost = list.filter((name) => !existsSync(join(root, name.startsWith('src/') ? name : `node_modules/${name}`)));
    if (lost.length > 0) throw new Error(`.ci/late.json names what does not exist: ${lost.join(', ')}`);
    this.#root = root;
    this.#list = new Set(list);
  }

  #toTarget(path, from) {
    return from.startsWith('.') ? relative(this.#root, join(dirname(path), from)).replaceAll('\\', '/') : from;
  }

  #isLate(target) {
    return this.#list.has(target);
  }

  #toName(target, imported) {
    const key = `${target} ${imported}`;
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    const name = `${imported === '*' ? 'all' : imported}_${this.#names.size}`;
    this.#names.set(key, name);
    return name;
  }

  /** A module of the server as JavaScript without imports of late modules. */
  async cut(path, text) {
    const define = {};
    const alone = text.replace(ALONE, (statement, from) => {
      const target = this.#toTarget(path, from);
      if (!this.#isLate(target)) return statement;
      this.#alone.add(target);
      return '';
    });
    const wholes = new Map();
    const rest = alone.replace(IMPORT, (statement, clause, from) => {
      const target = this.#toTarget(path, from);
      if (!this.#isLate(target)) return statement;
      for (const [local, imported] of readClause(clause)) {
        if (imported === '*' && !target.startsWith('src/')) wholes.set(local, target);
        else define[local] = `${LATE}.${this.#toName(target, imported)}`;
      }
      return '';
    });
    for (const [local, target] of wholes) {
      for (const member of await listMembers(target, local, text)) define[`${local}.${member}`] = `${LATE}.${this.#toName(target, member)}`;
    }
    if (Object.keys(define).length === 0) return { contents: rest, loader: 'ts' };
    const { code } = await transform(rest, { loader: 'ts', define, target: 'node20.19', sourcefile: path });
    return { contents: code, loader: 'js' };
  }

  /** The property of a function that loads a package which is not evaluated with the late part. */
  toLoader(name) {
    return `${LATE}.${this.#toName(name, 'require')}()`;
  }

  /** The module that exports the names. */
  toEntry() {
    const alone = [...this.#alone].map((target) => `import ${JSON.stringify(join(this.#root, target))};`);
    const lines = [...this.#names].map(([key, name]) => {
      const [target, imported] = key.split(' ');
      const from = JSON.stringify(target.startsWith('src/') ? join(this.#root, target) : target);
      if (imported === 'require') return `export const ${name} = () => require(${from});`;
      return imported === '*' ? `export * as ${name} from ${from};` : `export { ${imported} as ${name} } from ${from};`;
    });
    return [...alone, ...lines].join('\n');
  }
}

/** Leaves what the server has to the server. */
const leaveShared = ({ root, inputs }) => ({
  name: 'leave-shared',
  setup(context) {
    context.onResolve({ filter: /^[^:]*$/ }, async ({ path, importer, kind, resolveDir, pluginData }) => {
      if (pluginData === leaveShared || kind !== 'import-statement' || /[\\/]node_modules[\\/]/.test(importer)) return undefined;
      const found = await context.resolve(path, { kind, importer, resolveDir, pluginData: leaveShared });
      if (found.external || found.errors.length > 0) return undefined;
      const file = relative(root, found.path).replaceAll('\\', '/');
      return inputs.has(file) ? { path: `${SHARED}${file}`, external: true, sideEffects: false } : undefined;
    });
  },
});

/** The names that a late part imports, by file. */
async function listShared(root, text) {
  const shared = new Map();
  for (const [, clause, file] of text.matchAll(/\bimport\s*([\w\s{}$,*]+?)\s*from\s*"shared:([^"]+)"/g)) {
    const names = shared.get(file) ?? new Set();
    for (const [local, imported] of readClause(clause.replace(/^\*\s*as\s*/, '* as '))) {
      if (imported !== '*') names.add(imported);
      else for (const member of await listMembers(join(root, file), local, text)) names.add(member);
    }
    shared.set(file, names);
  }
  return shared;
}

/** Builds the late part. Gives its text as CommonJS and what it needs of the server. */
export async function buildLate({ root, late, inputs, options, translate }) {
  const { outputFiles, metafile } = await build({
    ...options,
    stdin: { contents: late.toEntry(), resolveDir: root, sourcefile: 'late.js' },
    write: false,
    outfile: 'late.js',
    format: 'esm',
    supported: { 'dynamic-import': false },
    plugins: [leaveShared({ root, inputs }), ...translate],
  });
  const text = outputFiles[0].text;
  const { code } = await transform(text, {
    format: 'cjs',
    platform: 'node',
    target: options.target,
    minifyWhitespace: options.minifyWhitespace,
    lineLimit: options.lineLimit,
    legalComments: 'none',
  });
  return { code, shared: await listShared(root, text), inputs: Object.entries(Object.values(metafile.outputs)[0].inputs).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? [file] : [])) };
}

/** The server's entry: the program, and what its late part imports, by file. */
export function toServerEntry(root, shared) {
  const imports = [];
  const files = [...shared].map(([file, names]) => {
    const path = JSON.stringify(join(root, file));
    const members = [...names].map((name) => {
      const local = `shared${imports.length}`;
      imports.push(`import { ${name} as ${local} } from ${path};`);
      return `${JSON.stringify(name)}: ${local}`;
    });
    return `${JSON.stringify(SHARED + file)}: { __esModule: true, ${members.join(', ')} }`;
  });
  const entry = JSON.stringify(join(root, 'bin/treadle.ts'));
  return [...imports, `export * from ${entry};`, `export const toShared = () => ({ ${files.join(',\n')} });`].join('\n');
}
