import type { Response } from '../../core/request/response.ts';
import { translate } from '../../core/text/translate.ts';
import type { Definitions } from '../../model/definitions.ts';
import { type DefinitionOf, SHAPES } from '../../model/shape.ts';
import type { Context } from '../../plan/feature.ts';
import { mayOpenDefinition } from './access.ts';
import { toStatus } from './outcome.ts';
import type { Outcome } from './submit.ts';

/** Kinds with fields, whose definitions have events of their own. */
export type OwnerKind = 'schema' | 'fieldset';

export type OwnerValue = DefinitionOf[OwnerKind];

type Stage = Readonly<Record<string, unknown>>;

/** The keys of a stage that are the definition's own. */
export function pickDefinition(kind: OwnerKind, stage: Stage): Record<string, unknown> {
  const known = Object.keys(SHAPES[kind].shape);
  return Object.fromEntries(known.filter((key) => Object.hasOwn(stage, key)).map((key) => [key, stage[key]]));
}

/** The definition that a stage names, as `name`, or by its kind: `schema=article`. */
export function readOwnerName(kind: OwnerKind, stage: Stage): string {
  const name = stage.name ?? stage[kind];
  return typeof name === 'string' ? name : '';
}

/** The named definition; refuses with 404 if there is none. */
export function findOwner(
  definitions: Definitions,
  { kind, name, response }: { readonly kind: OwnerKind; readonly name: string; readonly response: Response },
): OwnerValue | undefined {
  const found = definitions[kind].get(name)?.value;
  if (found === undefined) response.refuse({ status: 404, message: translate('Not Found') });
  return found;
}

/** True if the work may do this with definitions; refuses with 403 otherwise. */
export function mayEdit(
  context: Context,
  { kind, verb, response }: { readonly kind: OwnerKind; readonly verb: string; readonly response: Response },
): boolean {
  const path = `/admin/system/${kind}/${verb === 'search' || verb === 'create' ? verb : `${verb}/x`}`;
  const isReading = verb === 'search' || verb === 'detail';
  if (mayOpenDefinition(context, path, isReading ? 'GET' : 'POST')) return true;
  response.refuse({ status: 403, message: translate('Your account may not change definitions.') });
  return false;
}

/** Answers an event with an outcome: its results are the outcome, besides the definition after a save. */
export function answerOutcome(response: Response, outcome: Outcome, saved: object): void {
  if (outcome.state === 'saved' || outcome.state === 'unchanged' || outcome.state === 'previewed') {
    response.succeed({ ...saved, outcome });
    return;
  }
  const problems = outcome.state === 'invalid' || outcome.state === 'broken' ? outcome.problems : [];
  response.refuse({
    status: toStatus(outcome),
    message: toMessage(outcome),
    validation: Object.fromEntries(
      problems.map(({ path, message, hint }) => [path || 'definition', [message, hint].join(' ').trim()]),
    ),
  });
  response.setResults({ outcome });
}

function toMessage(outcome: Outcome): string {
  switch (outcome.state) {
    case 'refused':
      return outcome.message;
    case 'conflict':
      return translate('{file} changed on disk meanwhile. Nothing was written.', { file: outcome.file });
    case 'asks':
      return translate('The database cannot take this change without a value or a permission. Nothing was written.');
    default:
      return translate('Invalid Parameters');
  }
}
