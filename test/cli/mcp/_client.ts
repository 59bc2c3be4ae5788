import { main } from '../../../src/cli/main.ts';
import { CHEAP_COST } from '../../../src/testing/people.ts';

interface Answer {
  readonly id: unknown;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string };
}

/** What a tool said: its JSON, and whether it failed. */
export interface Told {
  readonly isError: boolean;
  readonly data: Record<string, unknown>;
}

/** A client of `treadle mcp`, which runs in this process with streams of its own. */
export class Client {
  readonly #waiting: string[] = [];
  readonly #answers = new Map<unknown, (answer: Answer) => void>();
  readonly #ended: Promise<number>;
  #wake: () => void = () => {};
  #isOver = false;
  #id = 0;
  /** Everything on standard output. */
  out = '';

  constructor(cwd: string, env: Readonly<Record<string, string>> = {}) {
    this.#ended = main(['mcp'], {
      cwd,
      env,
      passwordCost: CHEAP_COST,
      stdin: this.#lines(),
      stdout: { write: (text: string) => this.#hear(text) },
      stderr: { write: () => {} },
    });
  }

  async *#lines(): AsyncGenerator<string> {
    for (;;) {
      const line = this.#waiting.shift();
      if (line !== undefined) yield line;
      else if (this.#isOver) return;
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
  }

  #hear(text: string): void {
    this.out += text;
    for (const line of text.split('\n').filter(Boolean)) {
      const answer: Answer = JSON.parse(line);
      this.#answers.get(answer.id)?.(answer);
    }
  }

  /** Sends a text as it is; two halves of a line may come in two pieces. */
  send(text: string): void {
    this.#waiting.push(text);
    this.#wake();
  }

  ask(method: string, params: object = {}): Promise<Answer> {
    this.#id += 1;
    const id = this.#id;
    const answer = new Promise<Answer>((resolve) => this.#answers.set(id, resolve));
    this.send(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return answer;
  }

  async call(name: string, input: object = {}): Promise<Told> {
    const { result, error } = await this.ask('tools/call', { name, arguments: input });
    if (error !== undefined) throw new Error(error.message);
    const { content, isError = false } = result as { content: { text: string }[]; isError?: boolean };
    return { isError, data: JSON.parse(content[0]?.text ?? 'null') };
  }

  /** The answer of a tool that must not fail. */
  async tool(name: string, input: object = {}): Promise<Record<string, unknown>> {
    const { isError, data } = await this.call(name, input);
    if (isError) throw new Error(`${name} ${JSON.stringify(input)}: ${JSON.stringify(data)}`);
    return data;
  }

  /** A change by its dry run and its token. */
  async change(input: object): Promise<Record<string, unknown>> {
    const { token } = await this.tool('change', input);
    return this.tool('change', { ...input, apply: true, token });
  }

  /** The exit code after the end of standard input. */
  end(): Promise<number> {
    this.#isOver = true;
    this.#wake();
    return this.#ended;
  }
}
