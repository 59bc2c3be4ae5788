import type { Emitted } from '../core/bus/bus.ts';
import type { Listener } from '../core/bus/followers.ts';
import type { Clock } from '../core/clock.ts';
import type { Log } from '../core/log/log.ts';
import type { Request } from '../core/request/request.ts';
import type { Response } from '../core/request/response.ts';
import type { RootSecret } from '../core/secret/secret.ts';
import type { Database, SystemTable } from '../database/database.ts';
import type { CallModel, Model } from '../model/model.ts';

/** Where access reads an account. The context of a plan is one, as it is of the next two. */
export interface Accounts {
  readonly plan: { readonly model: Model };
  emit(event: string, request: Request, response: Response): Promise<Emitted>;
}

/** Where access finds the rules of roles and the caller, and records refusals. */
export interface AccessContext extends Accounts {
  readonly plan: { readonly model: Model; readonly tables: readonly Pick<SystemTable, 'name'>[] };
  readonly services: { readonly clock: Clock; readonly log: Log; readonly database: Database };
}

/** Where a proof of identity, and a form that waits for one, are sealed and timed. */
export interface Proofs {
  readonly clock: Clock;
  readonly secret: RootSecret;
}

/** A REST call, with its handler if the project wrote one. */
export interface Call extends CallModel {
  readonly handler: Listener | undefined;
}
