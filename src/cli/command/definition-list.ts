import { toRecord } from '../../model/json/json-parts.ts';
import type { DefinitionKind, Hook } from '../../model/shape.ts';
import { readDefinitions } from '../change/definition.ts';
import { findCodeHooks } from '../hook/known.ts';
import type { CommandSpec, Invocation } from '../spec.ts';
import { toTable } from '../terminal.ts';

interface DefinitionRow {
  readonly name: string;
  readonly file: string;
  readonly value: object;
}

type Cells = Readonly<Record<string, string | undefined>>;

const printCell = (value: unknown): string => (value === undefined || value === '' ? '-' : String(value));

/** The settings of a hook, including defaults. */
function toHookSummary({ title, event, type, ...hook }: Partial<Hook>): Cells {
  const { audience = 'app', approval = false, format = 'standard', method = 'post', delivery = 'queued', url } = hook;
  const told = { audience, approval: approval === true ? 'yes' : 'no', format, method, delivery, url };
  // A hook of the code may have values of any type.
  return Object.fromEntries(
    Object.entries({ title, event, type, ...told }).map(([key, cell]) => [key, printCell(cell)]),
  );
}

/** The keys that distinguish a definition from others at a glance. */
function toSummary(kind: DefinitionKind, value: object): Cells {
  if (kind === 'webhook') return toHookSummary(value);
  const { plural, title, name, access, method, path, event, fields, relations, calls, permissions } = toRecord(value);
  const texts = { title: plural ?? title ?? name, access, method, path, event };
  const counts = { fields, relations, calls, permissions };
  return {
    ...Object.fromEntries(
      Object.entries(texts).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    ),
    ...Object.fromEntries(Object.entries(counts).map(([word, list]) => [word, toCount(word, list)])),
  };
}

function toCount(words: string, list: unknown): string | undefined {
  if (!Array.isArray(list)) return undefined;
  return `${list.length} ${list.length === 1 ? words.slice(0, -1) : words}`;
}

/** One column for each key that any of them has, so that a missing value does not shift the others. */
function toRows(listed: readonly DefinitionRow[], cells: readonly Cells[]): string[][] {
  const heads = new Set(cells.flatMap((each) => Object.keys(each).filter((key) => each[key] !== undefined)));
  const order = [...ORDER.filter((key) => heads.has(key))];
  return [['name', ...order], ...listed.map(({ name }, at) => [name, ...order.map((key) => cells[at]?.[key] ?? '')])];
}

const ORDER = [
  ...['title', 'access', 'method', 'path', 'event', 'type', 'audience', 'approval', 'format', 'delivery', 'url'],
  ...['fields', 'relations', 'calls', 'permissions', 'code'],
];

/** The hooks that the project's code registers. Prints a line if they are unknown. */
async function listCodeHooks(invocation: Invocation): Promise<DefinitionRow[]> {
  const hooks = await findCodeHooks(invocation);
  if (hooks === undefined) {
    invocation.terminal.say("The project's code may define more, but it does not load. See: treadle check");
  }
  return (hooks ?? []).map(({ name, file, definition }) => ({ name, file, value: definition }));
}

/** `treadle <noun> list`. */
export function createListCommand(kind: DefinitionKind): CommandSpec {
  return {
    examples: [`treadle ${kind} list`, `treadle ${kind} list --json`],
    async run(invocation) {
      const definitions = await readDefinitions(invocation);
      const files = [...definitions[kind]].map(([name, { file, value }]): DefinitionRow => ({ name, file, value }));
      const own = kind === 'webhook' ? await listCodeHooks(invocation) : [];
      const found = [...files, ...own];
      const cells = [
        ...files.map(({ value }) => toSummary(kind, value)),
        ...own.map(({ file, value }) => ({ ...toSummary(kind, value), code: file })),
      ];
      const broken = [...definitions.broken].filter((name) => name.startsWith(`${kind}/`));
      return {
        data: found.map(({ name, file, value }) => ({ name, file, ...value })),
        lines: [
          ...(found.length === 0 ? ['None yet.'] : toTable(toRows(found, cells))),
          ...broken.map((name) => `${name.slice(kind.length + 1)}  (broken: treadle check)`),
        ],
        next: [found.length === 0 ? `treadle ${kind} create --help` : `treadle ${kind} show ${found[0]?.name ?? ''}`],
      };
    },
  };
}
