/**
 * A flag's time as unix seconds, in digits; undefined where it was not given.
 *
 * @param flag Such as `--since`, for the message.
 * @param now Unix seconds.
 * @throws CLI_USAGE where it is no time.
 */
export declare function toTime(flag: string, text: string | undefined, now: number): string | undefined;
