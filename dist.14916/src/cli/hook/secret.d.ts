import type { Definitions } from '../../model/definitions.ts';
import type { Invocation } from '../spec.ts';
/**
 * The signing secret of a hook's own address, or of an app's.
 *
 * @param app The app's name or client id.
 * @throws CLI_SECRET_MISSING without TREADLE_SECRET. @throws CLI_USAGE where there is no such hook or app.
 */
export declare function deriveSecret(invocation: Invocation, definitions: Definitions, { hook: name, app }: {
    readonly hook: string;
    readonly app: string | undefined;
}): Promise<string>;
