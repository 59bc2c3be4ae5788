/** A socket or server that the project's code opened while it loaded. */
export interface OpenHandle {
    /** In words, such as `a connection`. */
    readonly what: string;
    /** `file:line` of the project's code; undefined if the stack does not show it. */
    readonly place: string | undefined;
    isOpen(): boolean;
}
/**
 * Notes the sockets that are made until `end`. Watching makes promises slower, so it ends with the loading.
 * @param isOwn Whether the running code is to be watched.
 */
export declare function watchHandles(root: string, isOwn: () => boolean): {
    end(): readonly OpenHandle[];
};
