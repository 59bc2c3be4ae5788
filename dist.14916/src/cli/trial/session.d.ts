import { type Application } from '../application.ts';
/** A browser session that this command created for a user of the running server. */
export interface TrialSession {
    /** The Cookie header. */
    readonly cookie: string;
    end(): Promise<void>;
}
/**
 * Logs a user in by adding a session row to the server's database.
 *
 * @throws CLI_USAGE for an unknown user.
 */
export declare function openSession(app: Application, email: string, isSecure: boolean): Promise<TrialSession>;
