import { toList } from '../model/json/json-parts.ts';

interface TextOptions {
  readonly default?: string;
  readonly isOptional?: boolean;
  /** The error of an answer, which is then asked for again; undefined for a valid answer. */
  readonly check?: (text: string) => string | undefined | Promise<string | undefined>;
}

/** A choice of a question. */
export interface Choice {
  readonly value: string;
  /** Text to show; default: the value. */
  readonly name?: string;
  /** Shown below the list while the choice is highlighted. */
  readonly description?: string;
  /** Heading of the choice. */
  readonly group?: string;
  /** Other words that find it. */
  readonly words?: readonly string[];
  /** Selected initially, for questions with several answers. */
  readonly isChosen?: boolean;
}

/** Asks questions at a terminal; every question also has a flag. */
export interface Prompt {
  text(message: string, options?: TextOptions): Promise<string>;
  /** @param check Gives the error of what was typed; asked again until there is none. */
  password(message: string, check?: (text: string) => string | undefined): Promise<string>;
  choice(message: string, choices: readonly (string | Choice)[], preset?: string): Promise<string>;
  /** A choice from many: typing filters the list. */
  search(message: string, choices: readonly Choice[], preset?: string): Promise<string>;
  several(message: string, choices: readonly (string | Choice)[]): Promise<string[]>;
  confirm(message: string, preset: boolean): Promise<boolean>;
}

interface Answer {
  readonly answer: unknown;
}

/** Visible lines of a list. */
const PAGE_LINES = 14;

type Ask = (question: Record<string, unknown>) => Promise<unknown>;

const toItem = (choice: string | Choice): Record<string, unknown> => {
  if (typeof choice === 'string') return { value: choice, name: choice };
  const { value, name = value, description, isChosen } = choice;
  return {
    value,
    name,
    short: value,
    ...(description === undefined ? {} : { description }),
    ...(isChosen === true ? { checked: true } : {}),
  };
};

/** Choices that match the typed word: first in the name, then in the description. */
export function findChoices(choices: readonly Choice[], typed: string | undefined): Choice[] {
  const word = (typed ?? '').trim().toLowerCase();
  if (word === '') return [...choices];
  const isIn = (text: string | undefined): boolean => text?.toLowerCase().includes(word) === true;
  const named = choices.filter(({ value, name, words = [] }) => isIn(value) || isIn(name) || words.some(isIn));
  const exact = named.filter(({ value }) => value.toLowerCase().startsWith(word));
  const others = choices.filter(
    (choice) => !named.includes(choice) && (isIn(choice.description) || isIn(choice.group)),
  );
  return [...exact, ...named.filter((choice) => !exact.includes(choice)), ...others];
}

/** Prompts with inquirer, loaded at the first question. They are written to `output`, so that results stay clean. */
export function createPrompt(input: NodeJS.ReadableStream, output: NodeJS.WritableStream): Prompt {
  const ask: Ask = async (question) => {
    const { default: inquirer } = await import('inquirer');
    const prompt = inquirer.createPromptModule({ input, output }) as unknown as (
      questions: readonly Record<string, unknown>[],
    ) => Promise<Answer>;
    return (await prompt([{ ...question, name: 'answer' }])).answer;
  };
  return {
    async text(message, options = {}) {
      const validate = async (typed: string): Promise<boolean | string> => {
        const answer = typed.trim();
        if (answer === '') return options.isOptional === true || 'An answer is required.';
        return (await options.check?.(answer)) ?? true;
      };
      return String(await ask({ type: 'input', message, default: options.default, validate })).trim();
    },
    password: async (message, check) =>
      String(await ask({ type: 'password', message, mask: '*', validate: (text: string) => check?.(text) ?? true })),
    choice: async (message, choices, preset) =>
      String(await ask({ type: 'select', message, choices: choices.map(toItem), default: preset })),
    search: (message, choices, preset) => search(ask, message, choices, preset),
    several: async (message, choices) =>
      toList(await ask({ type: 'checkbox', message, choices: choices.map(toItem), pageSize: PAGE_LINES })).map(String),
    confirm: async (message, preset) => (await ask({ type: 'confirm', message, default: preset })) === true,
  };
}

/** A heading, which cannot be selected. Inquirer's class for it is not available in the bundled program. */
const toHeading = (separator: string): object => ({ type: 'separator', separator });

async function search(
  ask: Ask,
  message: string,
  choices: readonly Choice[],
  preset: string | undefined,
): Promise<string> {
  const source = (typed: string | undefined): unknown[] => {
    const found = findChoices(choices, typed);
    // Headings are shown only in the complete list: in a filtered one the best match is first.
    const isWhole = found.length === choices.length && (typed ?? '').trim() === '';
    return found.flatMap((choice, index) => {
      const isFirst = isWhole && choice.group !== undefined && found[index - 1]?.group !== choice.group;
      return [...(isFirst ? [toHeading(choice.group ?? '')] : []), toItem(choice)];
    });
  };
  const answer = await ask({
    type: 'search',
    message,
    source,
    pageSize: PAGE_LINES,
    ...(preset === undefined ? {} : { default: preset }),
  });
  return String(answer);
}
