import type { Listener } from '../../core/bus/followers.ts';
import { holdsFiles } from '../../model/field/field-kind.ts';
import type { Model } from '../../model/model.ts';
import type { CallPlan, RouteContribution } from '../../plan/feature.ts';
import { type CallState, compileCall } from './call.ts';

/** Methods with forms that may contain files. */
const FORM_METHODS: ReadonlySet<string> = new Set(['all', 'patch', 'post', 'put']);

/**
 * True if a form of this call may contain files: its schema has file fields, or the schema is unknown before
 * the request.
 */
function takesFiles({ handler, schema, definition }: CallPlan, { schemas }: Model): boolean {
  if (!FORM_METHODS.has(definition.method)) return false;
  const written = schema === undefined ? undefined : schemas.get(schema);
  return handler !== undefined || written === undefined || written.columns.some(holdsFiles);
}

/** The route of a call: guard, stage, event (or hand-written handler), answer. */
export function createCallRoute(call: CallPlan, model: Model, state: CallState): RouteContribution {
  return {
    method: call.definition.method.toUpperCase() as RouteContribution['method'],
    path: call.path,
    description: `${call.definition.title} (${call.definition.access} call ${call.name})`,
    kind: 'api',
    takesFiles: takesFiles(call, model),
    // Project code without a shape for the body may take texts of its own.
    isTextJson: call.handler === undefined || call.body !== undefined,
    listen(context) {
      // At the first request: of a thousand calls a process may never answer most.
      let listener: Listener | undefined;
      return (request, response, meta) => {
        listener ??= compileCall(call, context, state);
        return listener(request, response, meta);
      };
    },
  };
}
