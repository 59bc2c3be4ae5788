import type { Definitions } from '../../model/definitions.ts';
import { findKeyError, type KeySpec } from '../keys/key.ts';
import { getText, type Invocation, type Values } from '../spec.ts';

interface KeyQuestions {
  /** The field whose keys they are. */
  readonly name?: string;
  /** The project, for names to choose from. */
  readonly definitions?: Definitions;
  /** The answer that is suggested for a key. */
  readonly suggest?: (key: string) => string | undefined;
  /** What is wrong with an answer. Default: by the rules of the key. */
  readonly check?: (spec: KeySpec, typed: string) => string | undefined;
}

/** The names that a key may hold; a scope opens calls of its own access only. */
function listNames({ names }: KeySpec, { scope, rest, webhook }: Definitions, values: Values): string[] {
  if (names === 'scope') return [...scope.keys()];
  if (names === 'hook') return [...webhook.keys()];
  const access = getText(values, 'access');
  return names === 'call' ? [...rest].filter(([, { value }]) => value.access === access).map(([name]) => name) : [];
}

/** Asks for the keys that have a question and no value yet. What may be made from something else is not set to what was suggested. */
export async function askKeys(
  keys: readonly KeySpec[],
  { prompt, values }: Pick<Invocation, 'prompt' | 'values'>,
  { name = '', definitions, suggest, check = findKeyError }: KeyQuestions = {},
): Promise<void> {
  for (const spec of keys) {
    const { key, flag, form, names, choices, isRequired } = spec;
    const question = spec.question?.replace('{name}', name);
    if (!prompt || question === undefined || values[flag] !== undefined) continue;
    if (form === 'list' && names !== undefined) {
      const offered = definitions === undefined ? [] : listNames(spec, definitions, values);
      if (offered.length > 0) values[flag] = await prompt.several(question, offered);
    } else if (form === 'switch') {
      values[flag] = await prompt.confirm(question, spec.otherwise ?? false);
    } else {
      const made = suggest?.(key);
      const answer =
        choices === undefined
          ? await prompt.text(question, {
              check: (typed) => (typed === '' ? undefined : check(spec, typed)),
              ...(made === undefined ? { isOptional: true } : { default: made }),
            })
          : await prompt.choice(question, choices, made);
      if (answer !== '' && (isRequired === true || answer !== made)) values[flag] = form === 'one' ? answer : [answer];
    }
  }
}
