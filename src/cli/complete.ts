import { toDidYouMean } from '../core/text/suggest.ts';
import { toHint } from './description.ts';
import { createUsageError } from './failure.ts';
import type { Prompt } from './prompt.ts';
import type { ArgumentSpec, CommandSpec, Invocation, Judge, OptionSpec, Values } from './spec.ts';

/**
 * Asks for missing values, or names the missing flag; then checks every value that has choices. Returns true if it
 * asked.
 */
export async function complete(spec: CommandSpec, invocation: Invocation): Promise<boolean> {
  const { values, prompt } = invocation;
  const before = JSON.stringify(values);
  const judges = prompt === undefined ? {} : (spec.judges?.(invocation) ?? {});
  await spec.askFirst?.(invocation);
  for (const argument of spec.arguments ?? []) {
    if (argument.isOptional || isThere(values[argument.name])) continue;
    if (!prompt) throw createMissing(`The argument <${argument.name}>`, argument.description, invocation);
    const answer = await askForArgument(argument, { invocation, prompt, judges });
    values[argument.name] = argument.isRest ? [answer] : answer;
  }
  for (const option of spec.options ?? []) {
    if (!option.isRequired || isThere(values[option.name])) continue;
    if (!prompt) throw createMissing(`The option --${option.name}`, option.description, invocation);
    const answer = await askFor(option, { invocation, prompt, judges });
    values[option.name] = option.isRepeated ? [answer] : answer;
  }
  if (prompt && spec.ask) await spec.ask(invocation, prompt);
  checkChoices(spec, values);
  return JSON.stringify(values) !== before;
}

const createMissing = (what: string, description: string, { command }: Invocation): Error =>
  createUsageError(`${what} is missing: ${toHint(description)}.`, `See: treadle ${command} --help`);

const isThere = (value: unknown): boolean => value !== undefined && value !== '';

/** Offers a list if the argument names something of the project. */
interface PromptContext {
  readonly invocation: Invocation;
  readonly prompt: Prompt;
  readonly judges: Readonly<Record<string, Judge>>;
}

async function askForArgument(spec: ArgumentSpec, asking: PromptContext): Promise<string> {
  const { invocation, prompt } = asking;
  if (spec.of === undefined) return askFor(spec, asking);
  const { createNothingToName, listNames } = await import('./names.ts');
  const names = await listNames(spec.of, invocation);
  if (names.length > 0) return prompt.search(toMessage(spec), names);
  // An app that registered itself in the browser has no definition: its client id can only be typed.
  if (spec.of === 'app') return askFor(spec, asking);
  throw createNothingToName(spec.of, invocation);
}

function toMessage({ description }: ArgumentSpec | OptionSpec): string {
  const hint = toHint(description);
  return `${hint.charAt(0).toUpperCase()}${hint.slice(1)}:`;
}

function askFor(spec: ArgumentSpec | OptionSpec, { invocation, prompt, judges }: PromptContext): Promise<string> {
  const message = toMessage(spec);
  if (spec.choices) return prompt.choice(message, spec.choices);
  const judge = judges[spec.name];
  if (spec.check === undefined && judge === undefined) return prompt.text(message, {});
  const check = (text: string) => spec.check?.(text) ?? judge?.(text, invocation.values);
  return prompt.text(message, { check });
}

function checkChoices(spec: CommandSpec, values: Values): void {
  for (const part of [...(spec.arguments ?? []), ...(spec.options ?? [])]) {
    const value = values[part.name];
    if (!part.choices || value === undefined) continue;
    for (const each of Array.isArray(value) ? value.map(String) : [String(value)]) {
      if (!part.choices.includes(each)) {
        const name = 'value' in part ? `--${part.name}` : `<${part.name}>`;
        throw createUsageError(`${name} can't be "${each}".`, toDidYouMean(each, part.choices));
      }
    }
  }
}

/** The equivalent command line with flags. */
export function toCommandLine(words: readonly string[], spec: CommandSpec, values: Values): string {
  const parts: string[] = ['treadle', ...words];
  for (const { name } of spec.arguments ?? []) {
    const value = values[name];
    if (Array.isArray(value)) parts.push(...value.map((each) => toQuoted(String(each))));
    else if (value !== undefined) parts.push(toQuoted(String(value)));
  }
  for (const option of spec.options ?? []) {
    const value = values[option.name.replace(/^no-/, '')];
    if (option.value === undefined) {
      const isGiven = option.name.startsWith('no-') ? value === false : value === true;
      if (isGiven) parts.push(`--${option.name}`);
    } else if (value !== undefined && value !== option.default) {
      for (const each of Array.isArray(value) ? value : [value]) parts.push(`--${option.name}`, toQuoted(String(each)));
    }
  }
  return parts.join(' ');
}

/** Quotes a word for a POSIX shell. */
export function toQuoted(word: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
