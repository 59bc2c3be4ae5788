import { appendFileSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeProject } from '../../src/cli/create/project.ts';
import type { Template } from '../../src/cli/create/template.ts';
import { main } from '../../src/cli/main.ts';
import type { Prompt } from '../../src/cli/prompt.ts';
import { CHEAP_COST } from '../../src/testing/people.ts';
import { placeUrl, SERVER } from '../database/_where.ts';

export interface RunOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Text of standard input. */
  readonly stdin?: string;
  /** True if input and output are a terminal. */
  readonly isTTY?: boolean;
  readonly prompt?: Prompt;
}

export interface RunResult {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command line in this process, with its own streams. */
export async function run(argv: readonly string[], options: RunOptions): Promise<RunResult> {
  const isTTY = options.isTTY === true;
  const out: string[] = [];
  const err: string[] = [];
  const code = await main(argv, {
    stdout: { isTTY, write: (text: string) => out.push(text) },
    stderr: { isTTY, write: (text: string) => err.push(text) },
    stdin: { isTTY, [Symbol.asyncIterator]: () => toChunks(options.stdin ?? '') },
    env: options.env ?? {},
    cwd: options.cwd,
    passwordCost: CHEAP_COST,
    ...(options.prompt ? { prompt: options.prompt } : {}),
  });
  return { code, out: out.join(''), err: err.join('') };
}

async function* toChunks(text: string): AsyncGenerator<string> {
  if (text !== '') yield text;
}

/** Folders of one suite, removed at its end. */
export class Folders {
  readonly #made: string[] = [];

  make(): string {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'treadle-cli-')));
    this.#made.push(folder);
    return folder;
  }

  /** A new project, made by the code of `treadle create`. */
  makeProject(template: Template = 'blog'): string {
    const folder = join(this.make(), 'my-blog');
    writeProject({ folder, template, random: (bytes) => Buffer.alloc(bytes, 7) });
    // Its schema is removed at the end of the whole run.
    if (SERVER !== undefined) appendFileSync(join(folder, '.env'), `DATABASE_URL=${placeUrl()}\n`);
    return folder;
  }

  remove(): void {
    for (const folder of this.#made.splice(0)) rmSync(folder, { recursive: true, force: true });
  }
}

/** Answers questions in order; an unexpected question fails the test. */
export function createAnswers(answers: readonly unknown[]): Prompt & { readonly asked: string[] } {
  const left = [...answers];
  const asked: string[] = [];
  const next = (message: string): Promise<never> => {
    asked.push(message);
    if (left.length === 0) throw new Error(`Nobody answers: ${message}`);
    return Promise.resolve(left.shift() as never);
  };
  return { asked, text: next, password: next, choice: next, search: next, several: next, confirm: next };
}
