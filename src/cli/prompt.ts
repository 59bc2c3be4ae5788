export interface TextOptions {
  readonly default?: string;
  readonly isOptional?: boolean;
  /** What is wrong with an answer, so that it is asked for again at once; undefined where nothing is. */
  readonly check?: (text: string) => string | undefined;
}

/** Asks a person; every question has a flag, so nothing can only be asked. */
export interface Prompt {
  text(message: string, options?: TextOptions): Promise<string>;
  password(message: string): Promise<string>;
  choice(message: string, choices: readonly string[], preset?: string): Promise<string>;
  several(message: string, choices: readonly string[]): Promise<string[]>;
  confirm(message: string, preset: boolean): Promise<boolean>;
}

interface Answer {
  readonly answer: unknown;
}

/** Prompts by inquirer, which is loaded at the first question. They are written to `output`, so that results stay clean. */
export function createPrompt(input: NodeJS.ReadableStream, output: NodeJS.WritableStream): Prompt {
  const ask = async (question: Record<string, unknown>): Promise<unknown> => {
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
        if (answer === '') return options.isOptional === true || 'Something must be typed.';
        return options.check?.(answer) ?? true;
      };
      return String(await ask({ type: 'input', message, default: options.default, validate })).trim();
    },
    password: async (message) => String(await ask({ type: 'password', message, mask: '*' })),
    choice: async (message, choices, preset) =>
      String(await ask({ type: 'select', message, choices, default: preset })),
    several: async (message, choices) => ((await ask({ type: 'checkbox', message, choices })) as unknown[]).map(String),
    confirm: async (message, preset) => (await ask({ type: 'confirm', message, default: preset })) === true,
  };
}
