/** The client disconnected before the response. */
export declare class ClientGone extends Error {
    readonly name = "ClientGone";
}
