import type { HookFormat } from './shape.ts';
/** An event as it is sent to receivers, identical in every attempt. */
export interface HookEvent {
    readonly format: HookFormat;
    /** Sent as `webhook-id`. */
    readonly id: string;
    /** Increases with every event of a site. */
    readonly sequence: number;
    /** Address of the site without a trailing slash; used only by CloudEvents. */
    readonly source: string;
    /** Such as `profile.created`. */
    readonly type: string;
    /** When it happened, in unix seconds. */
    readonly at: number;
    /** Minified JSON. */
    readonly data: string;
}
/** An event in its format: the exact text that is signed and sent, and the headers that belong to it. */
export interface HookMessage {
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
}
/**
 * Percent-encodes the UTF-8 of characters that a header cannot hold or would misinterpret. @see CloudEvents
 * HTTP binding 1.0.2, 3.1.3.2
 */
export declare const toHeaderValue: (text: string) => string;
/** An event in its format. The headers of Standard Webhooks are always sent in addition. */
export declare const toHookMessage: (event: HookEvent) => HookMessage;
/** The badge of a format on pages; undefined for `standard`, which needs none, and for unknown formats. */
export declare const toFormatLabel: (format: string | null | undefined) => string | undefined;
/** Media type of a format's body. */
export declare const toMediaType: (format: HookFormat | undefined) => string;
