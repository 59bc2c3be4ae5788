// The pages of docs/reference/ on what project code and templates get, made from the types and their TSDoc.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../src/core/file/package-root.ts';
import { type Entry, type Exported, withReader } from './read-code.ts';

/** Where the template helpers are. */
const HELPERS = 'src/pages/template-helper.ts';

interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, string | { readonly types?: string }>>;
}

/** Source files of the package's entry points, by the name that a project imports. */
function listEntries(): Map<string, string> {
  const { name, exports } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as Manifest;
  const entries = Object.entries(exports).flatMap(([path, target]) => {
    const types = typeof target === 'string' ? undefined : target.types;
    return types === undefined ? [] : [[join(name, path), types.replace('./dist/', '').replace('.d.ts', '.ts')] as const];
  });
  return new Map(entries);
}

/** What comes first on the page, in this order. */
const FIRST = ['App', 'Request', 'Response', 'Registry', 'Package', 'GlobalPackage', 'createApp', 'Application'];

/** Longer types say nothing to a reader; their comment does. */
const LONGEST_TYPE = 220;

export interface Code {
  /** Exports by entry point. */
  readonly exports: ReadonlyMap<string, readonly Exported[]>;
  /** Comments of the template helpers by name. */
  readonly helpers: ReadonlyMap<string, string>;
}

export const readCode = (): Code =>
  withReader((reader) => ({
    exports: new Map([...listEntries()].map(([name, file]) => [name, reader.read(file)])),
    helpers: reader.readProperties(HELPERS),
  }));

const toCell = (text: string): string => text.replaceAll('|', '\\|');
const toCode = (text: string): string => (text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``);

/** Members that another documented class has already. */
function listOwn({ name, members }: Exported, all: readonly Exported[]): readonly Entry[] {
  const base = name === 'Registry' ? undefined : all.find((one) => one.name === 'Registry');
  const inherited = base?.members.filter(({ file }) => file === base.file) ?? [];
  return members.filter((member) => !inherited.some((one) => one.name === member.name && one.file === member.file));
}

function renderMembers(entries: readonly Entry[]): string {
  const rows = entries.map(({ signatures, text }) => `| ${signatures.map(toCode).map(toCell).join('<br>')} | ${toCell(text)} |`);
  return ['| member | meaning |', '|---|---|', ...rows].join('\n');
}

function renderOne(one: Exported, all: readonly Exported[]): string[] {
  const own = listOwn(one, all);
  const inherits = own.length < one.members.length ? ['It has every method of [Registry](#registry), too.'] : [];
  const isShown = !['class', 'interface'].includes(one.kind);
  const signatures = isShown ? one.signatures.filter((text) => text.length <= LONGEST_TYPE && !text.includes('z.object')) : [];
  return [
    `## ${one.name}`,
    ...(signatures.length === 0 ? [] : [`\`\`\`ts shape\n${signatures.join('\n')}\n\`\`\``]),
    [one.text, ...inherits].filter(Boolean).join(' '),
    ...(own.length === 0 ? [] : [renderMembers(own)]),
  ].filter(Boolean);
}

const toPlace = (name: string): number => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length);

/** Intro and body of code.md. */
export function renderCode({ exports }: Code): string[] {
  const intro = [
    'What `import … from \'treadle\'` gives, from the types and their comments. A package’s function gets [App](#app), every listener a [Request](#request) and a [Response](#response).',
    'In signatures `Key` is `string | number` and `Data` an object by keys. [Events and controllers](../guide/events.md) shows how they are used.',
  ].join('\n');
  const body = [...exports].flatMap(([entry, all]) => {
    const sorted = [...all].sort((a, b) => toPlace(a.name) - toPlace(b.name) || a.name.localeCompare(b.name, 'en'));
    const title = entry === 'treadle' ? [] : [`# ${entry}`, `What \`import … from '${entry}'\` gives.`];
    return [...title, ...sorted.flatMap((one) => renderOne(one, all))];
  });
  return [intro, ...body];
}

/** Intro and body of helpers.md. */
export function renderHelpers({ helpers }: Code): string[] {
  const intro = [
    'Every helper of the templates. A block form ends with its name: `{{#when a "==" b}} … {{else}} … {{/when}}`. [Templates](../guide/templates.md) shows how they are used, and',
    'how a project adds its own.',
  ].join('\n');
  const rows = [...helpers].sort(([a], [b]) => a.localeCompare(b, 'en')).map(([, text]) => {
    const [usage = '', meaning = ''] = text.split(/`: (.*)/s);
    return `| ${toCell(`${usage}\``)} | ${toCell(meaning)} |`;
  });
  return [intro, ['| helper | gives |', '|---|---|', ...rows].join('\n')];
}
