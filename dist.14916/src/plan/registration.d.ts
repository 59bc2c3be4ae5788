import type { Problem } from '../core/errors.ts';
/** A mistake in the arguments of `app.get`, `app.on` and the like, without its place. */
export interface Mistake {
    readonly code: string;
    readonly message: string;
    readonly hint: string;
}
/** A mistake in a listener, or undefined. @param name The route or event, for messages. */
export declare function findListenerMistake(name: string, listener: unknown): Mistake | undefined;
interface RouteInput {
    readonly method: unknown;
    readonly path: unknown;
    readonly priority: unknown;
}
/** Mistakes in a route's method, path and priority. With `isLost` the route cannot be added at all. */
export declare function findRouteMistakes({ method, path, priority }: RouteInput): {
    mistakes: Mistake[];
    isLost: boolean;
};
/** Mistakes in the event of `app.on`; the listener is left out. */
export declare function findEventMistake(event: unknown): Mistake | undefined;
/** A mistake in the arguments of `app.rest`. */
export declare function findCallMistake(call: unknown, listener: unknown): {
    mistake: Mistake;
    isLost: boolean;
} | undefined;
/** The mistake as a warning at a place such as `app/www/src/controller/static.ts:7`. */
export declare function toWarning(mistake: Mistake, place: string | undefined): Problem;
export {};
