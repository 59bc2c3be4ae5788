import type { Log } from '../core/log.ts';
import { type RootSecret } from '../core/secret.ts';
import type { ServedMode } from '../database/served-mode.ts';
import type { Mode } from './exchange.ts';
/**
 * The text of the root secret. If none is set, development uses a public one, but never on a database
 * that production served last, because its signatures would then use a public secret.
 *
 * @throws SECRET_MISSING
 */
export declare function getRootSecret(secret: string | undefined, { mode, served, log }: {
    readonly mode: Mode;
    readonly served: ServedMode | undefined;
    readonly log: Log;
}): string;
/**
 * The root secret of a command. If the server of its database has another one, using it is refused: receivers would
 * reject its signatures, and the server could not decrypt its values.
 *
 * @param served Fingerprint of the server's secret, if one was recorded.
 * @throws SECRET_OTHER at the first use.
 */
export declare function guardSecret(own: RootSecret, served: string | undefined): RootSecret;
/** The effects of a new root secret. */
export declare const OTHER_SECRET = "it differs from the one that last served this database: web hooks are signed with other secrets, open forms are refused once, and answers stored for an Idempotency-Key cannot be read";
/** True if a database was last served with another root secret. @param served The recorded fingerprint, if any. */
export declare const isOtherSecret: (own: RootSecret, served: string | undefined) => boolean;
/** Warns if a server starts with a new root secret: the old one may have been lost by accident. */
export declare function tellOtherSecret(own: RootSecret, { served, log }: {
    readonly served: string | undefined;
    readonly log: Log;
}): void;
