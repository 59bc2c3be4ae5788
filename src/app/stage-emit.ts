import { toPersonAccess } from '../access/grant.ts';
import { toPerson } from '../access/person.ts';
import { type Access, asSystem, getAccess, SYSTEM } from '../core/access.ts';
import type { Emitted } from '../core/bus/bus.ts';
import { TreadleError } from '../core/errors.ts';
import { toObject } from '../core/record.ts';
import { Request } from '../core/request/request.ts';
import { Response } from '../core/request/response.ts';
import { currentScope } from '../core/scope.ts';
import { createResponseMissing } from '../plan/emit/emit-arguments.ts';
import type { EmitStage } from '../plan/emit/typed-emit.ts';
import type { Context } from '../plan/feature.ts';

type Stage = Readonly<Record<string, unknown>>;

export interface EmitOptions {
  /** The `auth_id` of the logged-in user. */
  readonly as?: number;
}

/** `emit` of an application. The form with a stage is the first, so that its errors tell which value is wrong. */
export type ApplicationEmit = EmitStage<[options?: EmitOptions]> &
  ((event: string, request: Request, response: Response) => Promise<Emitted>) &
  ((event: string) => Promise<Response>);

/** Work inside a request keeps its access; a command, a test or a program acts as the system. */
function inherit(): Access {
  const access = getAccess();
  return access.kind === 'none' ? SYSTEM : access;
}

/** Creates the function that emits an event outside any HTTP request. */
export function createStageEmit(current: () => Context): ApplicationEmit {
  // Keeps the open transaction: a write outside it would wait for it, and it for the write.
  const run = (event: string, request: Request, response: Response, access: Access): Promise<Emitted> =>
    currentScope.run({ ...currentScope.getStore(), request, response, access }, () =>
      current().emit(event, request, response),
    );
  const emitStage = async (event: string, stage: Stage, { as }: EmitOptions): Promise<Response> => {
    const request = new Request().setStage({ ...stage });
    const response = new Response(request);
    await run(event, request, response, as === undefined ? inherit() : await logIn(request, as));
    return response;
  };
  const emit = ((event: string, first: Stage | Request = {}, second: EmitOptions | Response = {}) => {
    if (!(first instanceof Request)) return emitStage(event, first, second instanceof Response ? {} : second);
    if (second instanceof Response) return run(event, first, second, inherit());
    throw createResponseMissing(event);
  }) as ApplicationEmit;
  const logIn = async (request: Request, authId: number): Promise<Access> => {
    const found = await asSystem(() => emit('auth-detail', { auth_id: authId }));
    if (found.isError()) throw new TreadleError('USER_UNKNOWN', `There is no user ${authId}.`, { status: 404 });
    const me = toObject(found.getResults());
    request.setSession('me', me);
    return toPersonAccess(current(), toPerson(current().plan.model, me));
  };
  return emit;
}
