import type { App } from './app.ts';
import type { Draft } from './draft.ts';
type OwnWork = Pick<App, 'onClose'>;
/** What a project's code does beside requests, as part of its {@link App}. */
export declare function createOwnWork({ draft, app }: {
    readonly draft: Draft;
    readonly app: () => App;
}): OwnWork;
export {};
