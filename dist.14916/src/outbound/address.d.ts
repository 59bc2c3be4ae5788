import type { AddressPolicy } from './outbound.ts';
/** A refused target: `url` for the form of the URL, `address` for what it resolves to. */
export interface Refusal {
    readonly kind: 'url' | 'address';
    /** True if no setting can allow it. */
    readonly isNever?: boolean;
    /** Sentence for users. */
    readonly reason: string;
}
/** Whether a text is a CIDR block, such as `10.0.0.0/8`, or one address. */
export declare const isCidr: (text: string) => boolean;
/**
 * Why an address may not be called on a port; undefined if it may. Also checks IPv4 addresses embedded in
 * IPv6.
 * @param text Address as a resolver or a socket gives it.
 */
export declare function judgeAddress(text: string, port: number, policy: AddressPolicy): string | undefined;
/** Host of a URL without brackets and without the trailing dots of a rooted name. */
export declare const toHost: (url: URL) => string;
export declare function toPort(url: URL): number;
/** A literal address, not a host name. The WHATWG parser has already normalized forms like `127.1`. */
export declare const isLiteral: (host: string) => boolean;
/** The parsed URL, or why it may not be called. Does not resolve names. */
export declare function judgeUrl(text: string, policy: AddressPolicy): {
    url: URL;
} | Refusal;
