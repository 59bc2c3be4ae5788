import type { Problem } from '../core/errors.ts';
import type { Model } from '../model/model.ts';
import { NAME_PATTERN } from '../model/shape/text.ts';
import type { CallPlan, Facts } from '../plan/feature.ts';

/** Problems of hand-written calls: their paths, names and scopes. */
export function findHandwrittenCallProblems(facts: Facts): Problem[] {
  const { model, calls } = facts;
  const found = calls
    .filter(({ handler }) => handler !== undefined)
    .flatMap((call) => [
      ...findNameProblems(call, calls),
      ...call.scopes.flatMap((slug) => findScopeProblem(call, slug, model)),
    ]);
  return [...findConflicts(facts), ...found, ...adviseShapes(calls)];
}

/** Advice, once: shapes that no document can show. */
function adviseShapes(calls: readonly CallPlan[]): Problem[] {
  const foreign = calls.filter(({ body, answer }) => body?.isDescribed === false || answer?.isDescribed === false);
  const [first] = foreign;
  if (first === undefined) return [];
  const names = foreign.map(({ name }) => name).join(', ');
  const message = `The docs and the typed client say "any object" for shapes of ${names}: only zod and JSON Schema describe themselves.`;
  const hint = 'The values are checked all the same. To have them in the docs, write the shape in zod or JSON Schema.';
  return [{ code: 'REST_SHAPE_FOREIGN', file: first.file, path: '', message, hint, severity: 'advice' }];
}

function findConflicts(facts: Facts): Problem[] {
  const seen = new Map<string, CallPlan>();
  const problems: Problem[] = [];
  for (const call of facts.calls) {
    const shape = call.path.replace(/:[A-Za-z_][A-Za-z0-9_]*/g, ':').toLowerCase();
    for (const method of call.definition.method === 'all'
      ? ['get', 'post', 'put', 'patch', 'delete']
      : [call.definition.method]) {
      const other = seen.get(`${method} ${shape}`);
      if (other && other !== call && call.handler) {
        problems.push({
          code: 'REST_CALL_TWICE',
          file: call.file,
          path: '',
          message: `The hand-written call ${method.toUpperCase()} ${call.path} has the same method and path as "${other.name}".`,
          hint: 'Change one of the two paths.',
        });
        break;
      }
      seen.set(`${method} ${shape}`, call);
    }
  }
  return problems;
}

function findNameProblems(call: CallPlan, calls: readonly CallPlan[]): Problem[] {
  const { name, file } = call;
  const words = describeCall(call);
  if (!NAME_PATTERN.test(name)) {
    const hint = 'Start with a small letter; letters, digits, "-" and "_" may follow.';
    return [{ code: 'REST_CALL_NAME', file, path: '', message: `${words} has the name "${name}".`, hint }];
  }
  const first = calls.find((other) => other.name === name);
  // Two calls with the same method and path get a problem of their own.
  if (first === undefined || first === call || isSamePlace(first, call)) return [];
  const message = `${words} has the name "${name}", which ${first.definition.method.toUpperCase()} ${first.path} (${first.file}) already has.`;
  return [{ code: 'REST_CALL_NAME', file, path: '', message, hint: 'Give it another name: app.rest({ name: … }).' }];
}

const isSamePlace = (one: CallPlan, other: CallPlan): boolean =>
  one.path.toLowerCase() === other.path.toLowerCase() && one.definition.method === other.definition.method;

const describeCall = ({ definition, path }: CallPlan): string =>
  `The hand-written call ${definition.method.toUpperCase()} ${path}`;

/** Problems between a hand-written call and a scope. Defined calls are checked when the model is linked. */
function findScopeProblem(call: CallPlan, slug: string, { scopes }: Model): Problem[] {
  const scope = scopes.get(slug);
  const words = describeCall(call);
  const { access } = call.definition;
  if (scope === undefined) {
    const message = `${words} names the scope "${slug}", which is not defined.`;
    const hint = `Add config/scope/${slug}.json, or name one of: ${[...scopes.keys()].join(', ') || '(none)'}.`;
    return [{ code: 'REST_SCOPE_UNKNOWN', file: call.file, path: '', message, hint }];
  }
  const { file, definition } = scope;
  const path = definition.calls.includes(call.name) ? `calls[${definition.calls.indexOf(call.name)}]` : '';
  if (access === 'user' && definition.access === 'app') {
    const message = `The app scope "${slug}" opens the user call "${call.name}", which only a user can grant.`;
    const hint = 'Make the scope\'s "access" user, or list the call in a user scope.';
    return [{ code: 'MODEL_SCOPE_ACCESS', file, path, message, hint }];
  }
  if (access === definition.access) return [];
  const message = `The ${definition.access} scope "${slug}" lists the ${access} call "${call.name}", which it does not open.`;
  const hint = access === 'public' ? 'Anybody may call it: remove it from the scope.' : 'List it in an app scope.';
  return [{ code: 'MODEL_SCOPE_CALL_IDLE', file, path, message, hint, severity: 'advice' }];
}
