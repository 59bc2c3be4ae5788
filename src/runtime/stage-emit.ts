import { type Access, asSystem, getAccess, SYSTEM } from '../core/access.ts';
import { TreadleError } from '../core/errors.ts';
import { Request } from '../core/request.ts';
import { Response } from '../core/response.ts';
import { currentScope } from '../core/scope.ts';
import type { Context } from '../plan/feature.ts';
import { toPerson } from '../plan/person.ts';
import { toPersonAccess } from './door-access.ts';

type Stage = Readonly<Record<string, unknown>>;

export interface EmitOptions {
  /** The `auth_id` of the logged-in user. */
  readonly as?: number;
}

export type StageEmit = (event: string, stage?: Stage, options?: EmitOptions) => Promise<Response>;

/** Work inside a request keeps its access; a command, a test or a program acts as the system. */
function inherit(): Access {
  const access = getAccess();
  return access.kind === 'none' ? SYSTEM : access;
}

/** Creates the function that emits an event with a stage, outside any HTTP request. */
export function createStageEmit(current: () => Context): StageEmit {
  const emit: StageEmit = async (event, stage = {}, options = {}) => {
    const context = current();
    const request = new Request().setStage({ ...stage });
    const response = new Response(request);
    const access = options.as === undefined ? inherit() : await logIn(request, options.as);
    // Keeps the open transaction: a write outside it would wait for it, and it for the write.
    await currentScope.run({ ...currentScope.getStore(), request, response, access }, () =>
      context.emit(event, request, response),
    );
    return response;
  };
  const logIn = async (request: Request, authId: number): Promise<Access> => {
    const found = await asSystem(() => emit('auth-detail', { auth_id: authId }));
    if (found.isError()) throw new TreadleError('USER_UNKNOWN', `There is no user ${authId}.`, { status: 404 });
    const me = found.getResults() as Record<string, unknown>;
    request.setSession('me', me);
    return toPersonAccess(current(), toPerson(me));
  };
  return emit;
}
