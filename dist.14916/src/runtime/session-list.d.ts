import type { Request } from '../core/request.ts';
import type { Database } from '../database/database.ts';
import type { SessionFacts } from '../plan/feature.ts';
/** Where a visit came from, as a session notes it. */
export interface Visitor {
    readonly address: string;
    /** The `User-Agent` header. */
    readonly browser: string;
}
export declare const toVisitor: (request: Request) => Visitor;
/** The sessions of a user that have not ended, the last used first. */
export declare function listSessions({ kysely }: Database, { authId, now, own }: {
    readonly authId: number;
    readonly now: number;
    readonly own: string | undefined;
}): Promise<SessionFacts[]>;
/** Ends one session of a user; false if there is none of that id. */
export declare function endSession({ kysely }: Database, authId: number, id: string): Promise<boolean>;
