import type { Definitions } from '../../model/definitions.ts';
import { type Application } from '../application.ts';
import type { Invocation } from '../spec.ts';
/** An app that receives web hooks, by its definition's name or by its client id. */
export interface HookApp {
    readonly clientId: string;
    /** Name of its definition file; undefined where it was registered in the browser. */
    readonly name: string | undefined;
    /** The version that its signing secrets are made from. */
    readonly secretVersion: number;
}
/** Whether the log has a delivery that a stage selects. */
export declare function isLogged(app: Application, stage: Readonly<Record<string, string>>): Promise<boolean>;
/** The app that `--app` names. @throws CLI_USAGE where there is none. */
export declare function getHookApp(invocation: Invocation, definitions: Definitions, word: string): Promise<HookApp>;
/** The client id of the app that `--app` names. @throws CLI_USAGE if there is no such app. */
export declare const getClient: (invocation: Invocation, word: string) => Promise<string>;
/** The client id of the app that `--app` names; of one that is no more, the log may know it. @throws CLI_USAGE where there is none. */
export declare function findLoggedClient(invocation: Invocation, word: string): Promise<string>;
