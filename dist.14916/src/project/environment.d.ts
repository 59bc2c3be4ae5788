import type { Problem } from '../core/errors.ts';
import { type LogLevel } from '../core/log.ts';
import { Settings } from '../model/shape.ts';
import { type Mailbox, type MailServer } from '../outbound/mail.ts';
/** Settings from `.env` and the process environment; the process wins. An empty variable counts as unset. */
export interface Environment {
    /** `PORT`, 0 to 65535. */
    readonly port: number | undefined;
    /** `HOST`. */
    readonly host: string | undefined;
    /** `DATABASE_URL`. */
    readonly databaseUrl: string | undefined;
    /** `TREADLE_SECRET`, at least 32 characters. */
    readonly secret: string | undefined;
    /** `TREADLE_BASE_URL`, without a final slash. */
    readonly baseUrl: string | undefined;
    /** `LOG_LEVEL`: the lowest level that is logged. */
    readonly logLevel: LogLevel | undefined;
    /** `METRICS_TOKEN`, at least 16 characters. */
    readonly metricsToken: string | undefined;
    /** `MAIL_URL`. */
    readonly mailServer: MailServer | undefined;
    /** `MAIL_FROM`. */
    readonly mailFrom: Mailbox | undefined;
    /** `NODE_ENV`. */
    readonly mode: string | undefined;
    /** All variables, including those of `.env`. */
    readonly variables: Readonly<Record<string, string>>;
    readonly problems: readonly Problem[];
}
/** Every variable that a server reads, for the reference. */
export declare const VARIABLES: Readonly<Record<string, string>>;
/**
 * Reads `.env` of a project; variables of the process override it. Invalid ones are listed in `problems`
 * and left out.
 */
export declare function readEnvironment(root: string, env?: Readonly<Record<string, string | undefined>>): Environment;
/** Settings with the database URL and public address from the environment. */
export declare function overrideSettings(settings: Settings, environment: Environment): Settings;
