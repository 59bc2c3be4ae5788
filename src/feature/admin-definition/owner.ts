import * as z from 'zod';
import type { Response } from '../../core/request/response.ts';
import { translate } from '../../core/text/translate.ts';
import type { Definitions } from '../../model/definitions.ts';
import { type DefinitionOf, SHAPES } from '../../model/shape.ts';
import { type Rejection, reject } from '../../plan/event/event.ts';
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
  if (found === undefined)
    response.refuse({ status: 404, code: 'DEFINITION_MISSING', message: translate('Not Found') });
  return found;
}

/** The failure of work that may not do this with definitions; undefined if it may. */
export function findEditRefusal(context: Context, kind: OwnerKind, verb: string): Rejection | undefined {
  const path = `/admin/system/${kind}/${verb === 'search' || verb === 'create' ? verb : `${verb}/x`}`;
  const isReading = verb === 'search' || verb === 'detail';
  if (mayOpenDefinition(context, path, isReading ? 'GET' : 'POST')) return undefined;
  return reject({ status: 403, code: 'NOT_ALLOWED', message: translate('Your account may not change definitions.') });
}

/** The stage of an event on a definition: its name, other keys with a meaning, and those of the definition. */
export const ownerStage = <More extends z.ZodRawShape>(kind: OwnerKind, more: More) =>
  z.looseObject({
    name: z.custom<string>().meta({ type: 'string' }).optional().describe(`Name of the ${kind}.`),
    ...more,
  });

/** Results of an event that saves: a definition, and the outcome. */
export const savedResults = (description: string) =>
  z.looseObject({ outcome: z.custom<Outcome>() }).describe(description);

/** What an event returns of an outcome: the definition after a save, and the outcome, which a failure has as well. */
export function answerOutcome(response: Response, outcome: Outcome, saved: object): { outcome: Outcome } | undefined {
  if (outcome.state === 'saved' || outcome.state === 'unchanged' || outcome.state === 'previewed')
    return { ...saved, outcome };
  const problems = outcome.state === 'invalid' || outcome.state === 'broken' ? outcome.problems : [];
  response.refuse({
    status: toStatus(outcome),
    code: outcome.state === 'refused' ? 'NOT_ALLOWED' : 'DEFINITION_REFUSED',
    message: toMessage(outcome),
    validation: Object.fromEntries(
      problems.map(({ path, message, hint }) => [path || 'definition', [message, hint].join(' ').trim()]),
    ),
  });
  response.setResults({ outcome });
  return undefined;
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
