export type Headers = Readonly<Record<string, string | undefined>>;
/**
 * Why a delivery is not to be trusted; undefined where one of its signatures is by one of the secrets.
 *
 * @param now Unix seconds.
 */
export declare function findFault(secrets: readonly string[], delivery: {
    readonly headers: Headers;
    readonly body: string;
}, now: number): string | undefined;
