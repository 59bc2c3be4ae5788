/**
 * The network to count an address by: an IPv4 address itself, or the /64 of an IPv6 address, because one
 * customer owns it all. Any other text is a network of its own.
 */
export declare function toNetwork(address: string): string;
/**
 * Whether an address is loopback, private or link-local, like that of a reverse proxy or a container
 * gateway.
 */
export declare function isInternal(address: string): boolean;
