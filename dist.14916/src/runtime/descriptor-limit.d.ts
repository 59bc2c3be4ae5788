/** Number of files, including sockets, that this process may open; undefined if the system does not say. */
export declare function readDescriptorLimit(): number | undefined;
/** Maximum number of connections: as many as wanted, limited by the file descriptors. */
export declare function toMostConnections(wanted: number, descriptors: number | undefined): number;
