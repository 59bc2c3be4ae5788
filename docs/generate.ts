// Writes docs/reference/, templates/json-schema/ and the types of scaffold/ from the source, so that no page can say what the code does not.
// Usage: node --import tsx docs/generate.ts [--check]. With --check nothing is written; 1 where a page is out of date.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { compileProject } from '../src/boot.ts';
import { CATALOG, type CatalogEntry } from '../src/cli/catalog.ts';
import { writeProject } from '../src/cli/create/project.ts';
import { TEMPLATES } from '../src/cli/create/template.ts';
import { EXIT } from '../src/cli/failure.ts';
import type { CommandSpec, OptionSpec } from '../src/cli/spec.ts';
import { printTypes, TYPES_FILE } from '../src/cli/types/file.ts';
import { readErrorCatalog } from '../src/core/error-catalog.ts';
import { ProblemsError } from '../src/core/errors.ts';
import { packageRoot } from '../src/core/file/package-root.ts';
import { fieldKinds } from '../src/model/field/field-kind.ts';
import { fieldRules } from '../src/model/field/field-rules.ts';
import { formats } from '../src/model/format/format.ts';
import { toJsonSchema } from '../src/model/json/json-schema.ts';
import { KIND_WORDS } from '../src/model/kind-words.ts';
import { DEFINITION_KINDS, type FileKind, toFile } from '../src/model/shape.ts';
import { validators } from '../src/model/field/validate-rule.ts';
import type { Plan } from '../src/plan/feature.ts';
import { VARIABLES } from '../src/project/environment.ts';
import { readCode, renderCode, renderHelpers } from './render-code.ts';
import { printEventTypes } from './event-types.ts';
import { describeResults, describeStage } from '../src/plan/event/describe.ts';

const folder = join(packageRoot, 'docs', 'reference');
const HEAD = '<!-- Made by `npm run docs`; change the source instead. -->\n';

const toPage = (title: string, intro: string, body: readonly string[]): string =>
  `${HEAD}\n# ${title}\n\n${[intro, ...body].join('\n\n')}\n`;

const toCell = (text: string): string => text.replaceAll('|', '\\|').replace(/\s*\n\s*/g, ' ');
const toCode = (text: string): string => `\`${text}\``;

function toTable(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(toCell).join(' | ')} |`;
  return [line(heads), `|${heads.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}

function toSentence(text: string): string {
  const whole = /[.!?:]$/.test(text) ? text : `${text}.`;
  return whole.charAt(0).toUpperCase() + whole.slice(1);
}

// Errors

/** Words in capitals that are no codes: those of SQLite, Node and csv-parse, variables of environment and server, placeholders of the docs. */
const NO_CODE =
  /^(SQLITE_[A-Z]+|ERR_[A-Z_]+|TREADLE_[A-Z_]+|DATABASE_URL|LOG_LEVEL|MAIL_(URL|FROM)|METRICS_TOKEN|NODE_(ENV|OPTIONS)|NO_COLOR|UV_THREADPOOL_SIZE|REMOTE_ADDR|CONTENT_TYPE|QUERY_STRING|REQUEST_(ID|METHOD|TIME|URI)|CLIENT_(ID|SECRET)|CODE_(CHALLENGE|VERIFIER)|REDIRECT_URI|REFRESH_TOKEN|IDEMPOTENCY_KEY|HTTP_[A-Z_]+|ACCESS_(SECRET|TOKEN)|WEBHOOK_SECRET|ENABLE_FTS5|Z_(BUF|DATA)_ERROR|INVALID_OPENING_QUOTE)$/;

/** Every error code in the source. */
export function listCodes(): string[] {
  const found = new Set<string>();
  for (const entry of readdirSync(join(packageRoot, 'src'), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.ts')) continue;
    const text = readFileSync(join(entry.parentPath, entry.name), 'utf8');
    for (const [, code] of text.matchAll(/['"`]([A-Z]+(?:_[A-Z0-9]+)+)['"`]/g))
      if (code !== undefined && !NO_CODE.test(code)) found.add(code);
  }
  return [...found].sort();
}

/** What each code means, and what to do about it, in a sentence or two. */
export function readMeanings(): Record<string, string> {
  return Object.fromEntries(
    [...readErrorCatalog().values()].map(({ code, meaning, remedy, status }) => [
      code,
      [status === undefined ? meaning : `${status}: ${meaning}`, ...(remedy === undefined ? [] : [remedy])].join(' '),
    ]),
  );
}

function renderErrors(): string {
  const meanings = readMeanings();
  const rows = listCodes().map((code) => [toCode(code), meanings[code] ?? '']);
  const intro = [
    'A code names one fault and is never reused. It is in the log, in `--json` output, at the end of the line that `treadle check`',
    'prints, and as `code` in the body of a REST answer. *Advice* stops nothing; anything else that `check` tells keeps the last good version serving.',
  ].join('\n');
  const exits = Object.entries({
    done: 'Done.',
    failed: 'Failed.',
    differs: 'Differences were found, with `--check` or `--dry-run --exit-code`.',
    dataLoss: 'Refused, because data would be lost.',
    definitionInvalid: 'A definition is invalid.',
    usage: 'Wrong usage.',
    interrupted: 'Interrupted.',
  } satisfies Record<keyof typeof EXIT, string>).map(([name, text]) => [String(EXIT[name as keyof typeof EXIT]), text]);
  const body = [toTable(['code', 'meaning'], rows), '## Exit codes', toTable(['code', 'meaning'], exits)];
  return toPage('Error codes', intro, body);
}

// Environment

function renderEnvironment(): string {
  const rows = Object.entries(VARIABLES).map(([name, text]) => [toCode(name), text]);
  const intro = [
    'A server and the commands read these from `.env` in the project and from their environment, which overrides the file. An empty variable counts as unset. A',
    'value that a variable cannot have is an error: `start` exits with 5.',
  ].join('\n');
  const own = [
    'Every other variable of `.env` belongs to your code: it reads them as `process.env.SMS_TOKEN`, in `dev`, in `start` with all its workers, in jobs, in commands and in `treadle/test`. A variable that the process has already',
    'is left as it is, and so are the names above and `CI`, `NODE_OPTIONS`, `NO_COLOR`, `TERM` and `UV_THREADPOOL_SIZE`, which only count where they are set outside the file. `dev` takes changed values with the reload; packages from',
    '`node_modules` that read a variable once, as they are loaded, keep the first value. For values that are not secret, the settings have [`custom`](definitions.md#settings).',
  ].join('\n');
  return toPage('Environment', intro, [toTable(['variable', 'meaning'], rows), '## Your own variables', own]);
}

// Events and paths

function renderEvents({ events }: Plan): string {
  const sorted = [...events].sort((a, b) => a.name.localeCompare(b.name, 'en'));
  const intro = [
    '`treadle events` lists these and the listeners of a project. Your listener on the same name runs before Treadle’s own;',
    'see [Events and controllers](../guide/events.md). Each entry lists the keys of the stage, then the results.',
    'An event that reports no change fires no web hook, and its entry says so.',
  ].join('\n');
  const body = sorted.flatMap((event) => {
    const rows = Object.entries(describeStage(event)).map(([key, text]) => [toCode(key), text]);
    const keys = rows.length === 0 ? [] : [toTable(['stage', 'meaning'], rows)];
    const hooks = event.kind === 'silent' || event.kind === 'queues' ? ' No web hook fires on it.' : '';
    return [
      `## ${event.name}`,
      toSentence(event.description),
      ...keys,
      `Results: ${toSentence(describeResults(event))}${hooks}`,
    ];
  });
  return toPage('Events', intro, body);
}

const ROUTE_KIND_WORDS = {
  page: 'HTML; sessions; a post from another site is refused',
  api: 'JSON; cookies are ignored',
  open: 'neither sessions nor credentials',
} as const;

function renderPaths({ routes, calls }: Plan): string {
  const defined = new Set(calls.map(({ path }) => path));
  const rows = routes
    .filter(({ path }) => !defined.has(path))
    .map(({ method, path, kind = 'page', description }) => ({ method, path, kind, description }))
    .sort((a, b) => a.path.localeCompare(b.path, 'en') || a.method.localeCompare(b.method, 'en'))
    .map(({ method, path, kind, description }) => [method, toCode(path), kind, toSentence(description)]);
  const intro = [
    'What Treadle itself answers, the developer section among it (served with `"api": true`), and `/metrics` (served with `server.metrics`). A project’s own routes come before these, and its REST',
    'calls lie at the paths of its definitions; `treadle routes` lists all of a project.',
  ].join('\n');
  const kinds = Object.entries(ROUTE_KIND_WORDS).map(([kind, words]) => [kind, toSentence(words)]);
  const body = [toTable(['kind', 'meaning'], kinds), toTable(['method', 'path', 'kind', 'answers'], rows)];
  return toPage('Paths', intro, body);
}

/** The plan of the blog with its API opened: it has every feature. */
async function compileBlog(): Promise<Plan> {
  const parent = mkdtempSync(join(tmpdir(), 'treadle-docs-'));
  try {
    const root = join(parent, 'blog');
    writeProject({ folder: root, template: 'blog', random: (bytes) => Buffer.alloc(bytes, 7) });
    const file = join(root, toFile('settings', 'settings'));
    writeFileSync(
      file,
      JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), api: true, server: { metrics: 'loopback' } }),
    );
    const { plan, problems } = await compileProject(root, {});
    if (!plan) throw new ProblemsError(problems);
    return plan;
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
}

// Commands

function toUsage(words: readonly string[], spec: CommandSpec): string {
  const parts = (spec.arguments ?? []).map(({ name, isOptional, isRest }) => {
    const shown = `${name}${isRest ? '...' : ''}`;
    return isOptional ? `[${shown}]` : `<${shown}>`;
  });
  return ['treadle', ...words, ...parts, '[options]'].join(' ');
}

function toOptionRow({ name, value, description, choices, default: standard, ...rest }: OptionSpec): string[] {
  const notes = [
    rest.isRequired ? 'Needed.' : undefined,
    rest.isRepeated ? 'May stand more than once.' : undefined,
    choices === undefined ? undefined : `One of ${choices.map(toCode).join(', ')}.`,
    standard === undefined ? undefined : `Default ${toCode(standard)}.`,
  ];
  const text = [toSentence(description), ...notes].filter((note) => note !== undefined).join(' ');
  return [toCode(`--${name}${value === undefined ? '' : ` <${value}>`}`), text];
}

async function renderCommand({ words, summary, load }: CatalogEntry): Promise<string[]> {
  const spec = await load();
  const given = (spec.arguments ?? []).map(({ name, description, choices }) => {
    const list = choices === undefined ? '' : ` One of ${choices.map(toCode).join(', ')}.`;
    return [toCode(name), `${toSentence(description)}${list}`];
  });
  const options = (spec.options ?? []).map(toOptionRow);
  if (spec.isWriting) options.push([toCode('--dry-run'), 'Shows what would be done, without doing it.']);
  const example = spec.examples.map((line) => `    ${line}`).join('\n');
  return [
    `## treadle ${words.join(' ')}`,
    `${toCode(toUsage(words, spec))}: ${toSentence(summary)}`,
    ...(given.length === 0 ? [] : [toTable(['argument', 'meaning'], given)]),
    ...(options.length === 0 ? [] : [toTable(['option', 'meaning'], options)]),
    example,
  ];
}

async function renderCommands(): Promise<string> {
  const intro = [
    'Every command takes `--cwd <dir>`, `--json` (one document on standard output, everything else on standard error), `--yes`, `--no-interactive`',
    'and `-h`. A command asks for what is missing only at a terminal; after asking it shows the same command with flags.',
    'Exit codes: [Error codes](errors.md#exit-codes).',
  ].join('\n');
  const commands = await Promise.all(CATALOG.map(renderCommand));
  return toPage('Commands', intro, commands.flat());
}

// Definitions

interface Shape {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Shape[];
  readonly description?: string;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly items?: Shape;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly additionalProperties?: boolean | Shape;
}

function toTypeText(shape: Shape): string {
  if (shape.enum) return shape.enum.map((value) => toCode(String(value))).join(', ');
  if (shape.anyOf) return [...new Set(shape.anyOf.map(toTypeText))].join(' or ');
  if (shape.type === undefined) return 'any value';
  const types = [shape.type].flat();
  const range = shape.maximum === undefined ? '' : `, ${shape.minimum} to ${shape.maximum}`;
  const words = types.map((type) => {
    if (type === 'array') return `list of ${shape.items === undefined ? 'values' : toTypeText(shape.items)}`;
    if (type === 'integer') return 'whole number';
    return { object: 'object', string: 'text', number: 'number', boolean: 'true or false', null: 'null' }[type] ?? type;
  });
  return `${words.join(' or ')}${range}`;
}

/** Parts that several definitions have, shown once; by their JSON. */
function listParts(): Map<string, string> {
  const field = toJsonSchema('schema') as Shape;
  const parts: readonly [string, Shape | undefined][] = [
    ['Field', field.properties?.fields?.items],
    ['Relation', field.properties?.relations?.items],
    ['Validation', field.properties?.fields?.items?.properties?.validation?.items],
    ['Format', field.properties?.fields?.items?.properties?.list],
  ];
  return new Map(parts.map(([name, shape]) => [toPartKey(shape), name]));
}

const toPartKey = (shape: Shape | undefined): string =>
  shape?.properties === undefined ? '' : JSON.stringify(shape.properties);

function toKeyRows(shape: Shape, parts: ReadonlyMap<string, string>, prefix = ''): string[][] {
  return Object.entries(shape.properties ?? {}).flatMap(([key, value]) => {
    const path = `${prefix}${key}`;
    const inner = value.items ?? value;
    const part = parts.get(toPartKey(inner));
    const type = part === undefined ? toTypeText(value) : `${value.items ? 'list of ' : ''}[${part}](#${part.toLowerCase()})`;
    const isGroup = inner.properties !== undefined && part === undefined;
    const isNeeded = shape.required?.includes(key) === true && value.default === undefined;
    const standard = value.default === undefined || isGroup ? '' : toCode(JSON.stringify(value.default));
    const row = [toCode(path), type, isNeeded ? 'needed' : standard, value.description ?? ''];
    return [row, ...(isGroup ? toKeyRows(inner, parts, `${path}${value.items ? '[]' : ''}.`) : [])];
  });
}

const KEYS = ['key', 'value', 'default', 'meaning'] as const;

/** The reference page of all keys of all kinds. */
export function renderDefinitions(): string {
  const parts = listParts();
  const kinds: readonly FileKind[] = ['settings', ...DEFINITION_KINDS];
  const body = kinds.flatMap((kind) => [
    `## ${kind}`,
    `${toCode(toFile(kind, '<name>'))}: ${KIND_WORDS[kind].what}`,
    toTable(KEYS, toKeyRows(toJsonSchema(kind) as Shape, parts)),
  ]);
  for (const [json, name] of parts)
    body.push(`## ${name}`, toTable(KEYS, toKeyRows({ properties: JSON.parse(json), ...findNeeded(json) }, parts)));
  const types = Object.values(fieldKinds).map(({ type, description, sql, control, defaultFormat }) => [
    toCode(type),
    description,
    sql === undefined ? '' : sql.sqlite === sql.postgres ? sql.sqlite : `${sql.sqlite}, ${sql.postgres}`,
    control.element === 'none' ? '' : [control.element, control.inputType].filter(Boolean).join(' '),
    toCode(defaultFormat),
    [...fieldRules.flags(type)].join(', '),
  ]);
  const methods = Object.entries(validators).map(([name, { description, parameters }]) => [
    toCode(name),
    parameters === 'none' ? '' : parameters,
    description,
  ]);
  const shown = Object.entries(formats).map(([name, { description, parameters }]) => [
    toCode(name),
    parameters.join(', '),
    description,
  ]);
  body.push(
    '## Field types',
    'How they behave in forms, files and groups: [Fields](../guide/fields.md). Columns are those of SQLite and, where they differ, of PostgreSQL.',
    toTable(['type', 'meaning', 'column', 'control', 'format', 'flags it may have'], types),
    '## Validation methods',
    toTable(['method', 'parameter', 'meaning'], methods),
    '## Formats',
    toTable(['format', 'parameters', 'meaning'], shown),
  );
  const intro = [
    'Every key of every kind of definition. Unknown keys are refused. `treadle check` tells what is wrong, with the file, the place and the remedy;',
    'see [Definitions](../guide/definitions.md) for how they hang together.',
  ].join('\n');
  return toPage('Definitions', intro, body);
}

/** Which keys of a part are needed: its JSON has the keys alone. */
function findNeeded(json: string): Pick<Shape, 'required'> {
  const seek = (shape: Shape | undefined): readonly string[] | undefined => {
    if (shape === undefined) return undefined;
    if (toPartKey(shape) === json) return shape.required;
    const inner = [...Object.values(shape.properties ?? {}), ...(shape.items ? [shape.items] : [])];
    return inner.map(seek).find((required) => required !== undefined);
  };
  return { required: seek(toJsonSchema('schema') as Shape) ?? [] };
}

/** Every page of docs/reference by its file's name. */
export async function renderReference(): Promise<Map<string, string>> {
  const plan = await compileBlog();
  const code = readCode();
  const [codeIntro = '', ...codeBody] = renderCode(code);
  const [helperIntro = '', ...helperBody] = renderHelpers(code);
  return new Map([
    ['code.md', toPage('Code', codeIntro, codeBody)],
    ['commands.md', await renderCommands()],
    ['definitions.md', renderDefinitions()],
    ['environment.md', renderEnvironment()],
    ['errors.md', renderErrors()],
    ['events.md', renderEvents(plan)],
    ['helpers.md', toPage('Template helpers', helperIntro, helperBody)],
    ['http.md', renderPaths(plan)],
  ]);
}

/** The JSON Schema of every kind of definition, for editors: a project names them in its `.vscode/settings.json`. */
function renderSchemas(): Map<string, string> {
  const kinds: readonly FileKind[] = ['settings', ...DEFINITION_KINDS];
  return new Map(kinds.map((kind) => [`${kind}.json`, `${JSON.stringify(toJsonSchema(kind), null, 1)}\n`]));
}

/** The types that a new project starts with, by file; test/cli/types.test.ts tells where they are out of date. */
async function renderTypes(): Promise<Map<string, string>> {
  const types = new Map<string, string>();
  for (const template of TEMPLATES) {
    const root = join(packageRoot, 'scaffold', template);
    const { plan, problems } = await compileProject(root, {});
    if (!plan) throw new Error(`scaffold/${template} does not compile: ${problems[0]?.message}`);
    types.set(join(root, TYPES_FILE), printTypes(plan.model, plan.events));
  }
  return types;
}

const schemaFolder = join(packageRoot, 'templates', 'json-schema');

const eventFolder = join(packageRoot, 'src', 'plan', 'generated');

async function renderEventTypes(): Promise<Map<string, string>> {
  const { plan } = await compileProject(join(packageRoot, 'scaffold', 'blog'), {});
  if (!plan) throw new Error('scaffold/blog does not compile.');
  return new Map([['event-types.ts', printEventTypes(plan.events)]]);
}

/** What is made, by the folder that it lies in. */
async function renderAll(): Promise<[string, Map<string, string>][]> {
  return [
    [folder, await renderReference()],
    [schemaFolder, renderSchemas()],
    [eventFolder, await renderEventTypes()],
  ];
}

/** Files that differ from what would be made. */
export async function listOutdated(): Promise<string[]> {
  const outdated = (await renderAll()).flatMap(([place, files]) => {
    const there = existsSync(place) ? readdirSync(place) : [];
    const isCurrent = (name: string): boolean =>
      there.includes(name) && readFileSync(join(place, name), 'utf8') === files.get(name);
    return [...new Set([...files.keys(), ...there])].filter((name) => !isCurrent(name));
  });
  return outdated.sort();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes('--check')) {
    const outdated = await listOutdated();
    for (const name of outdated) process.stderr.write(`${name} is out of date: npm run docs\n`);
    process.exitCode = outdated.length > 0 ? 1 : 0;
  } else {
    for (const [place, files] of await renderAll()) {
      mkdirSync(place, { recursive: true });
      for (const [name, text] of files) writeFileSync(join(place, name), text);
    }
    for (const [file, text] of await renderTypes()) writeFileSync(file, text);
  }
}
