import { Response } from '../../core/response.ts';
import type { Row } from '../../database/database.ts';
import type { Context } from '../../plan/feature.ts';
import { type Purpose } from './mail-token.ts';
/** True if the site can send mail, or has an outbox. */
export declare const hasMail: ({ services }: Context) => boolean;
export interface LaterMail {
    /** The event that decides whether and what to send. */
    readonly event: string;
    readonly stage: Row;
    /** Seconds after which the mail is useless. */
    readonly seconds: number;
}
/** Lets an event prepare a mail after the answer, so that the answer takes as long for any address. */
export declare const prepareMail: (context: Context, { event, stage, seconds }: LaterMail) => Promise<Response>;
export interface Letter {
    readonly to: string;
    readonly template: string;
    readonly data: Row;
    readonly seconds?: number;
}
/** Queues a mail. Sets its error on the response, so that it is tried again. */
export declare function sendMail(context: Context, response: Response, letter: Letter): Promise<void>;
/** The URL of a mailed link. The host comes from the settings, never from a request. */
export declare function toLink({ services }: Context, path: string, token: string): string;
/** How long a link is valid, in words. */
export declare function toLife(purpose: Purpose): string;
