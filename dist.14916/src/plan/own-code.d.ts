import type { App } from './app.ts';
import type { Draft } from './draft.ts';
import type { Registrar } from './registrar.ts';
interface OwnCodeOptions {
    readonly draft: Draft;
    /** `file:line` of the calling project code. */
    readonly place: () => string | undefined;
    readonly register: Registrar['register'];
    readonly app: () => App;
}
/** The part of an {@link App} by which project code takes part in Treadle's own changes. */
export declare function createOwnCode({ draft, place, register, app, }: OwnCodeOptions): Pick<App, 'after' | 'transaction' | 'lock'>;
export {};
