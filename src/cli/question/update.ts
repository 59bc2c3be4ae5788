import { toHint, toPlain } from '../description.ts';
import { createUsageError } from '../failure.ts';
import { findKeyError, isAnyGiven, type KeySpec, toUpdateOptions } from '../keys/key.ts';
import type { Prompt } from '../prompt.ts';
import type { Values } from '../spec.ts';

/** @throws CLI_USAGE if an update changes nothing. */
export function needAny(keys: readonly KeySpec[], values: Values): void {
  if (isAnyGiven(keys, values) || values.unset !== undefined) return;
  const flags = toUpdateOptions(keys).map(({ name }) => `--${name}`);
  throw createUsageError('Nothing to change: pass a flag.', `Flags: ${flags.join(' ')}.`);
}

export interface UpdateQuestion {
  readonly keys: readonly KeySpec[];
  readonly value: object;
  readonly values: Values;
  readonly prompt: Prompt;
}

const toShown = (value: unknown): string | undefined => {
  if (value === undefined) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** Asks what to change, and to which value, unless a flag is given. */
export async function askUpdate({ keys, value, values, prompt }: UpdateQuestion): Promise<void> {
  if (isAnyGiven(keys, values)) return;
  const present = value as Readonly<Record<string, unknown>>;
  const chosen = await prompt.several(
    'What do you want to change?',
    keys.map(({ flag, key, description }) => {
      const shown = toShown(present[key]);
      return {
        value: flag,
        name: shown === undefined ? flag : `${flag}: ${cut(shown)}`,
        description: toPlain(description),
      };
    }),
  );
  for (const spec of keys.filter(({ flag }) => chosen.includes(flag)))
    await askKey(spec, present[spec.key], values, prompt);
}

const cut = (text: string): string => (text.length > 60 ? `${text.slice(0, 59)}…` : text);

async function askKey(spec: KeySpec, present: unknown, values: Values, prompt: Prompt): Promise<void> {
  const { flag, form, choices, otherwise = false } = spec;
  const hint = toHint(spec.description);
  if (form === 'switch') {
    values[flag] = await prompt.confirm(`${flag}: ${hint}?`, present === undefined ? otherwise : present === true);
  } else if (form === 'one') {
    const shown = toShown(present);
    const answer =
      choices === undefined
        ? await prompt.text(`${flag} (${hint}):`, {
            isOptional: spec.isKept !== true,
            check: (typed) => findKeyError(spec, typed),
            ...(shown === undefined ? {} : { default: shown }),
          })
        : await prompt.choice(`${flag} (${hint}):`, choices, shown);
    if (answer === '') values.unset = [...((values.unset as string[] | undefined) ?? []), flag];
    else values[flag] = answer;
  } else {
    const entries = await askEntries(spec, prompt);
    if (entries.length > 0) values[`add-${flag}`] = entries;
  }
}

async function askEntries(spec: KeySpec, prompt: Prompt): Promise<string[]> {
  const { flag, value, description } = spec;
  const found: string[] = [];
  for (;;) {
    const form = value === undefined || flag.endsWith(value) ? flag : `${flag} as ${value}`;
    const entry = await prompt.text(`Add ${form} (${toHint(description)}; leave empty to finish):`, {
      isOptional: true,
      check: (typed) => (typed === '' ? undefined : findKeyError(spec, typed)),
    });
    if (entry === '') return found;
    found.push(entry);
  }
}
