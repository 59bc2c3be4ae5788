import type { Listener } from './bus.ts';
import type { Request } from './request.ts';
/** A listener that runs after an event's own behaviour, in the same transaction. */
export interface Follower {
    readonly event: string | RegExp;
    /** Schemas of the stage that it follows; undefined: every stage. */
    readonly schemas: ReadonlySet<string> | undefined;
    readonly listener: Listener;
    /** `file:line` of the project's code. */
    readonly place: string | undefined;
}
/** The listeners that run after events, in order of registration. */
export declare class Followers {
    #private;
    add(follower: Follower): void;
    list(): readonly Follower[];
    /** Whether any follows an event, whatever the stage; with a schema, whether any follows it on that schema. */
    hears(event: string, schema?: string): boolean;
    /** Those that follow an event with the request's stage. */
    find(event: string, request: Request): readonly Follower[];
}
