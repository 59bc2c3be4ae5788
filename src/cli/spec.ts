import type { PasswordCost } from '../core/secret/password.ts';
import type { EditedProject } from '../edit/project.ts';
import type { DefinitionKind } from '../model/shape.ts';
import { createUsageError } from './failure.ts';
import type { Prompt } from './prompt.ts';
import type { Terminal } from './terminal.ts';

/** What is wrong with an answer, by the rules that `treadle check` has; undefined for a valid answer. */
export type Judge = (text: string, values: Values) => Promise<string | undefined>;

/** A command's values, by argument or option name (`dir`, `title`, `redirect-uri`). */
export type Values = Record<string, unknown>;

export interface ArgumentSpec {
  readonly name: string;
  readonly description: string;
  readonly isOptional?: boolean;
  /** Takes all remaining words. */
  readonly isRest?: boolean;
  /** The error of an answer at the prompt, such as an invalid name. */
  readonly check?: (text: string) => string | undefined;
  readonly choices?: readonly string[];
  /** The kind of thing that it names, for choices at the prompt and shell completion. */
  readonly of?: NameKind;
}

/**
 * Kinds of definition, an `owner` of fields (a schema or a fieldset), and fields, relations or kinds of relations of
 * the one named before.
 */
export type NameKind = DefinitionKind | 'owner' | 'field' | 'relation' | 'relation-kind';

export interface OptionSpec {
  /** Long name without dashes: `redirect-uri`. One that starts with `no-` is true unless given. */
  readonly name: string;
  /** Name of the value in the help; without it the option is a flag. */
  readonly value?: string;
  readonly description: string;
  /** Asked for at a terminal; otherwise an error names the flag. */
  readonly isRequired?: boolean;
  /** May be repeated; its value is a list. */
  readonly isRepeated?: boolean;
  readonly choices?: readonly string[];
  readonly default?: string;
  /** The error of an answer at the prompt. */
  readonly check?: (text: string) => string | undefined;
}

/** A command: its input and its function. Each file of `command/` has one. */
export interface CommandSpec {
  readonly arguments?: readonly ArgumentSpec[];
  readonly options?: readonly OptionSpec[];
  /** True if it changes something, and so has `--dry-run`. */
  readonly isWriting?: boolean;
  /** Complete command lines, shown below the help. */
  readonly examples: readonly string[];
  /** Asks further questions and fills values; called only if input and output are a terminal. */
  readonly ask?: (invocation: Invocation, prompt: Prompt) => Promise<void>;
  /** As {@link ask}, but before missing arguments are asked for one by one. */
  readonly askFirst?: (invocation: Invocation) => Promise<void>;
  /** Judges of answers by what the project has, by argument or option; they are used at a terminal only. */
  readonly judges?: (invocation: Invocation) => Readonly<Record<string, Judge>>;
  readonly run: (invocation: Invocation) => Promise<Outcome>;
}

/** One run of a command, and the project that it edits. */
export interface Invocation extends EditedProject {
  /** Its words, such as `schema create`. */
  readonly command: string;
  readonly values: Values;
  readonly terminal: Terminal;
  /** Base of relative paths: `--cwd`, or the current folder. */
  readonly cwd: string;
  readonly isForced: boolean;
  /** The project's root. @throws CLI_PROJECT_MISSING if no folder from `cwd` up is a project. */
  root(): string;
  /** Resolves when the process is asked to stop: by SIGINT, SIGTERM, or the signal passed to `main`. */
  untilStopped(): Promise<void>;
  /** Ends the process at once, after an error that it must not survive. */
  exit(code: number): void;
  /** Runs another command on the same project with `--json`; it never asks. */
  runOther(words: readonly string[]): Promise<OtherRun>;
  /** Asks the user; undefined without a terminal. */
  readonly prompt: Prompt | undefined;
  /** Of the hashes that the command makes; undefined for the usual one. */
  readonly passwordCost: PasswordCost | undefined;
}

/** What another command printed. */
export interface OtherRun {
  /** Exit code. */
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** A command's result: printed as text, or as one JSON document with `--json`. */
export interface Outcome {
  /** For `--json`; undefined if the document was already printed. */
  readonly data: unknown;
  /** The text, one entry per line. */
  readonly lines?: readonly string[];
  /** Suggested next commands. */
  readonly next?: readonly string[];
  /** Default 0. */
  readonly exitCode?: number;
}

/** A text value; undefined if it was not given. */
export function findText(values: Values, name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A text value that always exists, because its spec requires it or has a default. */
export const getText = (values: Values, name: string): string => findText(values, name) ?? '';

/** A value of a fixed list, which its spec names as `choices`; undefined if it was not given. */
export const findChoice = <T extends string>(values: Values, name: string, choices: readonly T[]): T | undefined =>
  choices.find((choice) => choice === values[name]);

/** The same of a value that always exists. */
export function getChoice<T extends string>(values: Values, name: string, choices: readonly T[]): T {
  const choice = findChoice(values, name, choices);
  if (choice === undefined) throw new TypeError(`"${name}" is not one of ${choices.join(', ')}`);
  return choice;
}

/** A repeated value; with `isSplit`, each entry may be several, separated by commas. */
export function getList(values: Values, name: string, isSplit = false): string[] {
  const value = values[name];
  const list = Array.isArray(value) ? value.map(String) : typeof value === 'string' ? [value] : [];
  return isSplit ? list.flatMap((entry) => entry.split(',')).filter((entry) => entry !== '') : list;
}

/** A whole number between two bounds; undefined if it was not given. @throws CLI_USAGE */
export function findNumber(values: Values, name: string, least: number, most: number): number | undefined {
  const given = findText(values, name);
  if (given === undefined) return undefined;
  const number = Number(given);
  if (/^\d+$/.test(given) && number >= least && number <= most) return number;
  throw createUsageError(`--${name} can't be "${given}".`, `A whole number from ${least} to ${most}.`);
}

export const isOn = (values: Values, name: string): boolean => values[name] === true;

/**
 * Refuses empty filter flags: an empty one, for example from an unset variable of a script, would count as missing,
 * and the command would do more than intended.
 *
 * @throws CLI_USAGE
 */
export function refuseEmpty(values: Values, names: readonly string[]): void {
  const empty = names.find((name) => values[name] === '');
  if (empty === undefined) return;
  throw createUsageError(`--${empty} is empty.`, 'Give it a value, or leave it out.');
}
