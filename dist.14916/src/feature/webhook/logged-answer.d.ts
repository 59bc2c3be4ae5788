/** Headers as JSON for the log: without secret values, long values cut. */
export declare function toLoggedHead(headers: Readonly<Record<string, string>>): string;
/** Body text for the log. PostgreSQL rejects zero bytes in text. */
export declare const toLoggedBody: (body: string) => string;
