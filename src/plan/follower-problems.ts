import type { Problem } from '../core/errors.ts';
import type { Follower } from '../core/followers.ts';
import { toDidYouMean } from '../core/suggest.ts';
import type { CompiledPlan } from './compile.ts';
import { findFollowerGaps } from './follower-gaps.ts';
import { toPlace } from './place.ts';

const SCHEMA_KEYS = ['schema', 'schema1'];

function findProblems({ model, events }: CompiledPlan, { event, schemas, place }: Follower): Problem[] {
  const what = `app.after('${String(event)}')`;
  const unknown = [...(schemas ?? [])].filter((name) => !model.schemas.has(name));
  const problems: Problem[] = unknown.map((name) => ({
    code: 'AFTER_SCHEMA_UNKNOWN',
    ...toPlace(place),
    message: `${what} follows the schema "${name}", which is not defined.`,
    hint: toDidYouMean(name, model.schemas.keys()),
    severity: 'warning',
  }));
  const known = events.find((own) => own.event === event);
  if (known === undefined || schemas === undefined || SCHEMA_KEYS.some((key) => key in known.stage)) return problems;
  const message = `${what} names a schema, but the stage of the event has none: the listener never runs.`;
  const hint = `Leave { schema } out. Its stage: ${Object.keys(known.stage).join(', ') || 'nothing'}.`;
  return [...problems, { code: 'AFTER_SCHEMA_IDLE', ...toPlace(place), message, hint, severity: 'warning' }];
}

/** Schemas of `committed` listeners that are not defined. */
const findCommittedProblems = ({ draft, model }: CompiledPlan): Problem[] =>
  draft.committed.list().flatMap(({ event, schemas, place }) =>
    [...(schemas ?? [])]
      .filter((name) => !model.schemas.has(name))
      .map((name) => ({
        code: 'AFTER_SCHEMA_UNKNOWN',
        ...toPlace(place),
        message: `app.committed('${String(event)}') follows the schema "${name}", which is not defined.`,
        hint: toDidYouMean(name, model.schemas.keys()),
        severity: 'warning',
      })),
  );

/** Problems of `after` and `committed` listeners: schemas that are not defined, listeners that never run, imports without one. */
export const findFollowerProblems = (plan: CompiledPlan): Problem[] => [
  ...plan.bus.followers.list().flatMap((follower) => findProblems(plan, follower)),
  ...findCommittedProblems(plan),
  ...findFollowerGaps(plan),
];
