/** Host names and search domains from the machine's files. */
export interface SystemNames {
    /** Addresses of a name in the hosts file; empty if the file or the name is missing. */
    addresses(host: string): readonly string[];
    /** Domains to append to a name, in order. */
    searchDomains(): readonly string[];
}
/** @param files Paths. Default: the usual ones on Linux and Unix. */
export declare function createSystemNames(files?: {
    readonly hosts?: string;
    readonly resolv?: string;
}): SystemNames;
