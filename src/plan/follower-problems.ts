import type { Problem } from '../core/errors.ts';
import type { Follower } from '../core/followers.ts';
import { toDidYouMean } from '../core/suggest.ts';
import type { CompiledPlan } from './compile.ts';

const SCHEMA_KEYS = ['schema', 'schema1'];

interface Placed {
  readonly file: string;
  readonly path: '';
  readonly line?: number;
}

function toPlace(place: string | undefined): Placed {
  const [, file = place ?? 'app', line] = /^(.*):(\d+)$/.exec(place ?? '') ?? [];
  return { file, path: '', ...(line === undefined ? {} : { line: Number(line) }) };
}

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

/** Problems of `after` listeners: schemas that are not defined, and listeners that never run. */
export const findFollowerProblems = (plan: CompiledPlan): Problem[] =>
  plan.bus.followers.list().flatMap((follower) => findProblems(plan, follower));
