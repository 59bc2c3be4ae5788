/**
 * Host name or address of a `Host` header, in lower case and without port; undefined if the header is
 * invalid.
 */
export declare const parseHost: (header: string) => string | undefined;
/** Whether a host is an IP address; IPv6 with or without brackets. */
export declare const isAddress: (host: string) => boolean;
/** Whether a host is always this machine: `localhost`, a subdomain of it, or a loopback address. */
export declare function isLoopbackHost(host: string): boolean;
