import { toObject } from '../../../core/record.ts';
import { toDidYouMean } from '../../../core/text/suggest.ts';
import type { Definitions } from '../../../model/definitions.ts';
import { toJsonSchema } from '../../../model/json/json-schema.ts';
import { DEFINITION_KINDS, type DefinitionKind, type FileKind, toFile } from '../../../model/shape.ts';
import { readDefinitions } from '../../change/definition.ts';
import type { Invocation } from '../../spec.ts';
import { runForJson } from '../command-run.ts';
import { omit } from '../omit.ts';
import { createInputError, readText, type Tool } from '../tool.ts';
import { listChangeCommands } from './change-command.ts';

const KINDS = [...DEFINITION_KINDS, 'settings', 'event', 'command', 'shape'] as const;
const SHAPES: readonly FileKind[] = [...DEFINITION_KINDS, 'settings'];

/** Keys that may hold a password or a hash. */
const SECRET = ['database', 'secretHash'];

interface EventFacts {
  readonly event: string;
}

function getNamed<T>(name: string, kind: string, found: T | undefined, names: Iterable<string>): T {
  if (found !== undefined) return found;
  throw createInputError(`There is no ${kind} "${name}".`, toDidYouMean(name, names));
}

async function describeEvents(invocation: Invocation, name: string | undefined): Promise<unknown> {
  const { events, listeners } = (await runForJson(invocation, ['events'])) as {
    readonly events: readonly EventFacts[];
    readonly listeners: readonly EventFacts[];
  };
  const names = events.map(({ event }) => event);
  if (name === undefined) return { events: names, listeners };
  const found = events.find(({ event }) => event === name);
  return { ...getNamed(name, 'event', found, names), listeners: listeners.filter(({ event }) => event === name) };
}

async function describeCommands(invocation: Invocation, name: string | undefined): Promise<unknown> {
  const commands = listChangeCommands();
  if (name === undefined) return { commands: commands.map(({ words, summary }) => `${words.join(' ')}: ${summary}`) };
  const names = commands.map(({ words }) => words.join(' '));
  const found = commands.find(({ words }) => words.join(' ') === name);
  const { words } = getNamed(name, 'command', found, names);
  return { command: name, help: (await invocation.runOther([...words, '--help'])).out };
}

function describeShape(name: string | undefined): unknown {
  if (name === undefined) return { shapes: SHAPES };
  const kind = SHAPES.find((each) => each === name);
  return toJsonSchema(getNamed(name, 'kind', kind, SHAPES));
}

/** A file that cannot be read says nothing; it must not look empty or missing. @throws MCP_INPUT_INVALID */
function refuseBroken({ broken }: Definitions, kind: FileKind, name = ''): void {
  if (!broken.has(kind === 'settings' ? kind : `${kind}/${name}`)) return;
  throw createInputError(`${toFile(kind, name)} cannot be read.`, 'check says what is wrong, and in which line.');
}

async function describeDefinition(
  invocation: Invocation,
  kind: DefinitionKind | 'settings',
  name: string | undefined,
): Promise<unknown> {
  const definitions = await readDefinitions(invocation);
  refuseBroken(definitions, kind, name);
  if (kind === 'settings') return omit(toObject(JSON.parse(definitions.settings.text)), SECRET);
  const names = [...definitions[kind].keys()].sort();
  if (name === undefined) return { [kind]: names };
  const source = getNamed(name, kind, definitions[kind].get(name), names);
  const { file, value } = source;
  if (kind !== 'schema') return { file, definition: omit(toObject(value), SECRET) };
  const { sentences, calls, hooks } = toObject(await runForJson(invocation, ['schema', 'show', name]));
  return { file, definition: value, relations: sentences, calls, hooks };
}

async function describeAll(invocation: Invocation): Promise<unknown> {
  const definitions = await readDefinitions(invocation);
  const names = DEFINITION_KINDS.map((kind) => [kind, [...definitions[kind].keys()].sort()] as const);
  return { ...Object.fromEntries(names), broken: [...definitions.broken] };
}

export const describe: Tool = {
  name: 'describe',
  description:
    'The project: without inputs all names; with kind its names; with kind and name that definition. `event`: stage and results. `command`: commands for `change`, and the flags of one. `shape`: JSON Schema of a kind.',
  inputSchema: {
    type: 'object',
    properties: { kind: { type: 'string', enum: KINDS }, name: { type: 'string' } },
  },
  async run(input, invocation) {
    const name = readText(input, 'name');
    const kind = KINDS.find((each) => each === input.kind);
    switch (kind) {
      case undefined:
        return describeAll(invocation);
      case 'event':
        return describeEvents(invocation, name);
      case 'command':
        return describeCommands(invocation, name);
      case 'shape':
        return describeShape(name);
      default:
        return describeDefinition(invocation, kind, name);
    }
  },
};
