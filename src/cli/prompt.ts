interface TextOptions {
  readonly default?: string;
  readonly isOptional?: boolean;
  /** What is wrong with an answer, so that it is asked for again at once; undefined where nothing is. */
  readonly check?: (text: string) => string | undefined;
}

/** One of several answers. */
export interface Choice {
  readonly value: string;
  /** What is shown; the value where left out. */
  readonly name?: string;
  /** Shown below the list while it is the one that is pointed at. */
  readonly description?: string;
  /** Heading that it stands under. */
  readonly group?: string;
  /** Chosen already, where several may be. */
  readonly isChosen?: boolean;
}

/** Asks a person; every question has a flag, so nothing can only be asked. */
export interface Prompt {
  text(message: string, options?: TextOptions): Promise<string>;
  password(message: string): Promise<string>;
  choice(message: string, choices: readonly (string | Choice)[], preset?: string): Promise<string>;
  /** A choice from many: what is typed narrows the list. */
  search(message: string, choices: readonly Choice[], preset?: string): Promise<string>;
  several(message: string, choices: readonly (string | Choice)[]): Promise<string[]>;
  confirm(message: string, preset: boolean): Promise<boolean>;
}

interface Answer {
  readonly answer: unknown;
}

/** Lines of a list that are seen at once. */
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

/** Choices that a typed word fits: in the name first, then in what is said of them. */
export function findChoices(choices: readonly Choice[], typed: string | undefined): Choice[] {
  const word = (typed ?? '').trim().toLowerCase();
  if (word === '') return [...choices];
  const isIn = (text: string | undefined): boolean => text?.toLowerCase().includes(word) === true;
  const named = choices.filter(({ value, name }) => isIn(value) || isIn(name));
  const exact = named.filter(({ value }) => value.toLowerCase().startsWith(word));
  const others = choices.filter(
    (choice) => !named.includes(choice) && (isIn(choice.description) || isIn(choice.group)),
  );
  return [...exact, ...named.filter((choice) => !exact.includes(choice)), ...others];
}

/** Prompts by inquirer, which is loaded at the first question. They are written to `output`, so that results stay clean. */
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
      const validate = (typed: string): boolean | string => {
        const answer = typed.trim();
        if (answer === '') return options.isOptional === true || 'An answer is required.';
        return options.check?.(answer) ?? true;
      };
      return String(await ask({ type: 'input', message, default: options.default, validate })).trim();
    },
    password: async (message) => String(await ask({ type: 'password', message, mask: '*' })),
    choice: async (message, choices, preset) =>
      String(await ask({ type: 'select', message, choices: choices.map(toItem), default: preset })),
    search: (message, choices, preset) => search(ask, message, choices, preset),
    several: async (message, choices) =>
      ((await ask({ type: 'checkbox', message, choices: choices.map(toItem), pageSize: PAGE_LINES })) as unknown[]).map(
        String,
      ),
    confirm: async (message, preset) => (await ask({ type: 'confirm', message, default: preset })) === true,
  };
}

/** A line that cannot be chosen. The class that makes one is not at hand where the program is built as one file. */
const toHeading = (separator: string): object => ({ type: 'separator', separator });

async function search(
  ask: Ask,
  message: string,
  choices: readonly Choice[],
  preset: string | undefined,
): Promise<string> {
  const source = (typed: string | undefined): unknown[] => {
    const found = findChoices(choices, typed);
    // Headings only while all is there: what fits best comes first in a narrowed list.
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
