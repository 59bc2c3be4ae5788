import { findCallActions } from '../access/open.ts';
import { findRuler } from '../access/rules.ts';
import type { Problem } from '../core/errors.ts';
import type { Model } from '../model/model.ts';
import { APP, GUEST, listRoles, USER } from '../model/role/role.ts';
import type { CallPlan } from '../plan/feature.ts';

/** The roles that a call may be made with. */
function listCallRoles({ definition: { access } }: CallPlan, model: Model): string[] {
  if (access === 'public') return [GUEST];
  return access === 'app' ? [GUEST, APP] : [...new Set([GUEST, USER, ...listRoles(model)])];
}

/** Advice on calls that always fail, because no role of their callers allows the action. */
export function findClosedCalls(model: Model, calls: readonly CallPlan[]): Problem[] {
  const ruler = findRuler(model);
  if (ruler === undefined) return [];
  return calls.flatMap((call): Problem[] => {
    const found = findCallActions(call, model);
    if (found === undefined || !ruler.isRuled(found.schema)) return [];
    const { schema, actions } = found;
    const roles = listCallRoles(call, model);
    const closed = actions.filter((action) => ruler.list(schema, action, roles).length === 0);
    if (closed.length === 0) return [];
    const { access } = call.definition;
    const role = access === 'public' ? GUEST : access === 'app' ? APP : USER;
    return [
      {
        code: 'ROLE_CALL_CLOSED',
        file: call.file,
        path: '',
        message: `Roles close the ${access} call "${call.name}": no role of its callers may ${closed.join(', ')} ${schema}.`,
        hint: `Allow it: treadle role allow ${role} ${schema} ${closed.join(' ')}`,
        severity: 'advice',
      },
    ];
  });
}
