import type { Log } from '../core/log.ts';
import type { Model } from '../model/model.ts';
import type { App, Package } from './app.ts';
import type { Draft } from './draft.ts';
export interface FacadeOptions {
    readonly draft: Draft;
    readonly model: Model;
    readonly log: Log;
    /** Renders `src/template/<name>.html` of a package's folder. */
    readonly view: (folder: string, name: string, data: object) => string;
    /** `file:line` of the calling project code. */
    readonly place?: () => string | undefined;
}
/** Creates the object that a package's functions receive: the app and their own package in one. */
export type MakePackage = (name: string, folder: string) => App & Package;
/** Creates the {@link App} that a project's own code registers on and later emits through. */
export declare function createFacade(options: FacadeOptions): {
    app: App;
    makePackage: MakePackage;
};
