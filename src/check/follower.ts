import type { Follower } from '../core/bus/followers.ts';
import type { Problem } from '../core/errors.ts';
import { toDidYouMean } from '../core/text/suggest.ts';
import type { CompiledPlan } from '../plan/compile.ts';
import { listStageKeys } from '../plan/event/describe.ts';
import { changesData } from '../plan/event/facts.ts';
import { toPlace } from '../plan/place.ts';

const SCHEMA_KEYS = ['schema', 'schema1'];

type Choice = Pick<Follower, 'event' | 'schemas' | 'place'>;

function findProblems({ model, events }: CompiledPlan, { event, schemas, place }: Choice, method = 'after'): Problem[] {
  const what = `app.${method}('${String(event)}')`;
  const unknown = [...(schemas ?? [])].filter((name) => !model.schemas.has(name));
  const problems: Problem[] = unknown.map((name) => ({
    code: 'AFTER_SCHEMA_UNKNOWN',
    ...toPlace(place),
    message: `${what} follows the schema "${name}", which is not defined.`,
    hint: toDidYouMean(name, model.schemas.keys()),
    severity: 'warning',
  }));
  const known = events.find(({ name }) => name === event);
  if (known === undefined || known.declared || schemas === undefined) return problems;
  const keys = listStageKeys(known);
  if (SCHEMA_KEYS.some((key) => keys.includes(key))) return problems;
  const message = `${what} names a schema, but the stage of the event has none: the listener never runs.`;
  const hint = `Leave { schema } out. Its stage: ${keys.join(', ') || 'nothing'}.`;
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

/** Warns of `app.committed` on events that commit nothing: it never runs. */
function findIdleCommitted({ draft, events }: CompiledPlan): Problem[] {
  return draft.committed.list().flatMap(({ event, place }): Problem[] => {
    const own = events.find(({ name }) => name === event);
    if (own === undefined || changesData(own)) return [];
    const message = `app.committed('${own.name}') is meant for changes, but the event changes nothing.`;
    const hint = 'Name an event that changes something, such as "system-model-create".';
    return [{ code: 'COMMITTED_EVENT_IDLE', ...toPlace(place), message, hint, severity: 'advice' }];
  });
}

/** Problems of `after` and `committed` listeners: schemas that are not defined, listeners that never run. */
export const findFollowerProblems = (plan: CompiledPlan): Problem[] => [
  ...plan.bus.followers.list().flatMap((follower) => findProblems(plan, follower)),
  ...plan.draft.registered.flatMap(({ event, place, schemas }) =>
    schemas === undefined ? [] : findProblems(plan, { event, place, schemas: new Set(schemas) }, 'on'),
  ),
  ...findCommittedProblems(plan),
  ...findIdleCommitted(plan),
];
