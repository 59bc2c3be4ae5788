import { applyJudged, findAdvice } from '../../edit/advice.ts';
import { applyChanges, type Change } from '../../edit/change.ts';
import type { Definitions } from '../../model/definitions.ts';
import type { DefinitionKind, DefinitionOf } from '../../model/shape.ts';
import { refuseCodeHook, refuseHookOfCode } from '../hook/known.ts';
import type { Invocation, Outcome } from '../spec.ts';
import { getDefinition, readDefinitions, refuseExisting, toOutcome } from './definition.ts';

/** A definition that a command changes, and all others. @throws CLI_USAGE if no file defines it. */
export async function readEdited<K extends DefinitionKind>(
  invocation: Invocation,
  kind: K,
  name: string,
): Promise<{ readonly definitions: Definitions; readonly value: DefinitionOf[K] }> {
  const definitions = await readDefinitions(invocation);
  if (kind === 'webhook') await refuseHookOfCode(invocation, definitions, name);
  return { definitions, value: getDefinition(definitions, kind, name) };
}

/** @throws CLI_DEFINITION_EXISTS if a file or a web hook of the project's code has the name. */
export async function refuseTaken(
  invocation: Invocation,
  definitions: Definitions,
  kind: DefinitionKind,
  name: string,
): Promise<void> {
  refuseExisting(definitions, kind, name);
  if (kind === 'webhook') await refuseCodeHook(invocation, name);
}

/** Kinds that features check beyond the linking of the model. */
const ADVISED: ReadonlySet<string> = new Set(['rest', 'webhook', 'app']);

interface EditReport {
  readonly data?: object;
  readonly lines?: readonly string[];
  readonly advice?: readonly string[];
  readonly next: readonly string[];
}

/** Writes a definition, and prints advice on it. @throws ProblemsError if it would be invalid. */
export async function saveDefinition(
  invocation: Invocation,
  change: Change & { readonly kind: DefinitionKind },
  { data, lines = [], advice: own = [], next }: EditReport,
): Promise<Outcome> {
  const { kind, name } = change;
  const files = await (kind === 'webhook' ? applyJudged : applyChanges)(invocation, [change]);
  if (!ADVISED.has(kind)) return toOutcome(invocation, files, { ...(data && { data }), lines, next });
  const advice = [...(await findAdvice(invocation, kind, name)), ...own];
  return toOutcome(invocation, files, { data: { ...data, advice }, lines: [...lines, ...advice], next });
}
