import type { EditedProject } from '../edit/project.ts';
import type { DefinitionKind } from '../model/shape.ts';
import { createUsageError } from './failure.ts';
import type { Prompt } from './prompt.ts';
import type { Terminal } from './terminal.ts';

/** What a command was given: by argument or option name (`dir`, `title`, `redirect-uri`). */
export type Values = Record<string, unknown>;

export interface ArgumentSpec {
  readonly name: string;
  readonly description: string;
  readonly isOptional?: boolean;
  /** Takes all words that are left. */
  readonly isRest?: boolean;
  /** What is wrong with an answer at the prompt, such as a name that does not read as one. */
  readonly check?: (text: string) => string | undefined;
  readonly choices?: readonly string[];
  /** What it names, so that a person can choose and a shell can complete. */
  readonly of?: Nameable;
}

/** Kinds of definition, an `owner` of fields (a schema or a fieldset), and what lies in the one that was named before. */
export type Nameable = DefinitionKind | 'owner' | 'field' | 'relation';

export interface OptionSpec {
  /** Long name without dashes: `redirect-uri`. One that starts with `no-` is true unless given. */
  readonly name: string;
  /** Name of the value in the help; without it the option is a switch. */
  readonly value?: string;
  readonly description: string;
  /** Asked for at a terminal, else an error that names the flag. */
  readonly isRequired?: boolean;
  /** May stand more than once; its value is a list. */
  readonly isRepeated?: boolean;
  readonly choices?: readonly string[];
  readonly default?: string;
  /** What is wrong with an answer at the prompt. */
  readonly check?: (text: string) => string | undefined;
}

/** A command: what it takes, and what it does. One of these in each file of `command/`. */
export interface CommandSpec {
  readonly arguments?: readonly ArgumentSpec[];
  readonly options?: readonly OptionSpec[];
  /** Whether it changes something, and so takes `--dry-run`. */
  readonly isWriting?: boolean;
  /** Whole command lines, shown below the help. */
  readonly examples: readonly string[];
  /** More questions for a person; fills values, and is asked only where both ends are a terminal. */
  readonly ask?: (invocation: Invocation, prompt: Prompt) => Promise<void>;
  /** As {@link ask}, before the missing arguments are asked for one by one. */
  readonly askFirst?: (invocation: Invocation) => Promise<void>;
  readonly run: (invocation: Invocation) => Promise<Outcome>;
}

/** One use of a command, and the project that it edits. */
export interface Invocation extends EditedProject {
  readonly values: Values;
  readonly terminal: Terminal;
  /** Folder that relative paths of arguments start from: `--cwd`, else where the command was typed. */
  readonly cwd: string;
  readonly isForced: boolean;
  /** The project's root. @throws CLI_PROJECT_MISSING where there is none above `cwd`. */
  root(): string;
  /** Resolves when the process is asked to end: SIGINT, SIGTERM, or the signal that `main` was given. */
  untilStopped(): Promise<void>;
  /** Ends the process at once, after a fault that it must not survive. */
  exit(code: number): void;
  /** Asks where a person can be asked; undefined where not. */
  readonly prompt: Prompt | undefined;
}

/** What a command leaves: printed as text, or as one JSON document with `--json`. */
export interface Outcome {
  /** For `--json`; undefined where the document was printed before. */
  readonly data: unknown;
  /** For a person, one entry a line. */
  readonly lines?: readonly string[];
  /** Commands to go on with. */
  readonly next?: readonly string[];
  /** 0 by default. */
  readonly exitCode?: number;
}

/** A text value; undefined where it was not given. */
export function findText(values: Values, name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A text value that is there, since its spec requires it or has a default. */
export const getText = (values: Values, name: string): string => findText(values, name) ?? '';

/** A repeated value; each entry may be several by comma where `isSplit`. */
export function getList(values: Values, name: string, isSplit = false): string[] {
  const value = values[name];
  const list = Array.isArray(value) ? value.map(String) : typeof value === 'string' ? [value] : [];
  return isSplit ? list.flatMap((entry) => entry.split(',')).filter((entry) => entry !== '') : list;
}

export const isOn = (values: Values, name: string): boolean => values[name] === true;

/**
 * Holds flags that narrow what is done to saying something: an empty one, as of a script's variable that is not set, would
 * read as left out, and more would be done than was meant.
 *
 * @throws CLI_USAGE
 */
export function refuseEmpty(values: Values, names: readonly string[]): void {
  const empty = names.find((name) => values[name] === '');
  if (empty === undefined) return;
  throw createUsageError(`--${empty} is empty.`, 'Give it a value, or leave it out.');
}
