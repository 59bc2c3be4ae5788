import type { HookModel } from '../../model/model.ts';
import type { Context } from '../../plan/feature.ts';
/** Target of a hook's events. */
export interface Receiver {
    readonly key: string;
    readonly url: string;
    readonly clientId: string | undefined;
    /** The app's `secretVersion`; undefined if unknown, and for the hook's own URL. */
    readonly secretVersion?: number | undefined;
}
/** @param identity Stable name of the hook: see `toIdentity`. */
export declare function toReceiver(identity: string, url: string, clientId: string | undefined): Receiver;
/**
 * All receivers of a hook's event: the hook's own URL and each app that lists the hook. A hook for the
 * audience `user` goes to apps that the user granted such data, and to apps that the user owns.
 * @param profileId Owner of the data.
 */
export declare function findReceivers(context: Context, hook: HookModel, profileId: number | undefined): Promise<readonly Receiver[]>;
/**
 * The current receiver of a delivery, perhaps with a new address. Undefined if it no longer receives the
 * hook: an app may be suspended, a hook unsubscribed, an approval or a consent revoked since the event.
 */
export declare function findReceiver(context: Context, hook: HookModel, to: {
    readonly client_id: string | null;
    readonly profile_id: number | null;
}): Promise<Receiver | undefined>;
