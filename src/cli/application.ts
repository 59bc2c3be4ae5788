import { ProblemsError, TreadleError } from '../core/errors.ts';
import type { Response } from '../core/response.ts';
import type { CompiledPlan } from '../plan/compile.ts';
import { readEnvironment } from '../project/environment.ts';
import type { Invocation } from './spec.ts';

type Boot = typeof import('../boot.ts');
export type Application = Awaited<ReturnType<Boot['createApp']>>;

/** Opens the project's application with its database, for one piece of work, and closes it after. */
export async function withApplication<T>(invocation: Invocation, work: (app: Application) => Promise<T>): Promise<T> {
  const { createApp } = await import('../boot.ts');
  const root = invocation.root();
  const mode = readEnvironment(root, invocation.env).mode === 'production' ? 'production' : 'development';
  const app = await createApp({ root, mode, env: invocation.env, log: createQuietLog(invocation) });
  try {
    return await work(app);
  } finally {
    await app.close();
  }
}

/** What a one-off command says of the runtime's log: warnings and errors, on standard error. */
function createQuietLog({ terminal }: Invocation) {
  const tell = (event: string, fields: Readonly<Record<string, unknown>> = {}): void => {
    const { error, message } = fields;
    const text = error instanceof Error ? error.message : (message ?? '');
    terminal.say(`${event}${text === '' ? '' : `: ${String(text)}`}`);
  };
  return { debug() {}, info() {}, warn: tell, error: tell };
}

/** The plan of the project's files; needs no database. @throws ProblemsError where a definition is broken. */
export async function compilePlan(invocation: Invocation): Promise<CompiledPlan> {
  const { compileProject } = await import('../boot.ts');
  const { plan, problems } = await compileProject(invocation.root(), invocation.env);
  if (plan) return plan;
  throw new ProblemsError(problems.filter((problem) => problem.severity !== 'advice'));
}

/** The answer's failure as lines for a person; a message that only repeats a field's own is not said twice. */
export function toFailureText(response: Response, names: Readonly<Record<string, string>> = {}): string[] {
  const message = response.getMessage() ?? 'The event failed.';
  const fields = Object.entries((response.getValidation() ?? {}) as Record<string, unknown>).map(
    ([key, text]) => `${names[key] ?? key}: ${typeof text === 'string' ? text : JSON.stringify(text)}`,
  );
  const isSaid = fields.length === 1 && fields[0]?.endsWith(`: ${message}`);
  return isSaid ? fields : [message, ...fields];
}

/**
 * The answer's failure as an error, so that the command fails with its message.
 *
 * @param names What the command calls a stage's keys, such as `--email`.
 * @throws CLI_EVENT_FAILED
 */
export function refuseFailure(response: Response, names: Readonly<Record<string, string>> = {}): void {
  if (!response.isError()) return;
  const [message = '', ...hint] = toFailureText(response, names);
  throw new TreadleError('CLI_EVENT_FAILED', message, {
    status: 422,
    ...(hint.length === 0 ? {} : { hint: hint.join('\n') }),
  });
}
