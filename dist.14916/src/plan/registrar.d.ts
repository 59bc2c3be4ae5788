import { type Listener } from '../core/bus.ts';
import type { App } from './app.ts';
import type { Draft, Phase } from './draft.ts';
import { type Mistake } from './registration.ts';
/** Adds the routes and listeners of a project's code, and warns of mistakes in the arguments. */
export interface Registrar {
    addRoutes(method: string, path: string, listeners: readonly (Listener | string)[], priority?: number): void;
    readonly on: App['on'];
    /** Records a listener with its place; returns a function that removes the record. */
    register(event: string, listener: Listener | string, priority: number, phase?: Phase): () => void;
    /** Notes a mistake with the place of the code that is running. */
    warn(mistake: Mistake): void;
}
/** @param place `file:line` of the calling project code. */
export declare function createRegistrar(draft: Draft, place: () => string | undefined): Registrar;
