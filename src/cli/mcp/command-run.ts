import { type Problem, ProblemsError, TreadleError } from '../../core/errors.ts';
import { toObject } from '../../core/record.ts';
import { EXIT } from '../failure.ts';
import type { Invocation } from '../spec.ts';

const toText = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/**
 * The document that a command prints with `--json`. Its questions are never asked.
 *
 * @param mayFail True for a command whose failure is its answer, such as `check`.
 * @throws TreadleError with the code, message and hint of the command.
 */
export async function runForJson(invocation: Invocation, words: readonly string[], mayFail = false): Promise<unknown> {
  const { code, out, err } = await invocation.runOther(words);
  const data: unknown = out.trim() === '' ? {} : JSON.parse(out);
  if (mayFail || code === EXIT.done || code === EXIT.differs) return data;
  const { problems, ...failure } = toObject(data);
  if (Array.isArray(problems) && failure.code === 'PROJECT_DEFINITIONS_INVALID')
    throw new ProblemsError(problems as readonly Problem[]);
  const message = toText(failure.message) ?? (err.trim() || `treadle ${words.join(' ')} ended with ${code}.`);
  const hint = toText(failure.hint);
  throw new TreadleError(toText(failure.code) ?? 'CLI_FAILED', message, {
    status: 400,
    ...(hint === undefined ? {} : { hint }),
  });
}
