import { type Receiver } from './receiver.ts';
/** A receiver in the results of events that send again. */
type Named = Pick<Receiver, 'hook' | 'url' | 'client_id'>;
/** Who is sent how many again. */
export interface Addressee extends Named {
    readonly count: number;
}
/** To whom nothing is sent again, and why. */
export interface Skipped extends Addressee {
    readonly reason: string;
}
/** Who was disabled, and is enabled by being sent to. */
export interface Enabled extends Named {
    readonly disabled_reason: string | null;
}
export declare const toCounted: (n: number) => string;
/** The receivers to send to. */
export declare const toAddresseeLines: (rows: readonly Addressee[]) => string[];
/** The receivers that are skipped, and why. */
export declare const toSkippedLines: (rows: readonly Skipped[]) => string[];
/** The receivers that were disabled, and why. @param title Such as `Enabled with that:`. */
export declare const toEnabledLines: (rows: readonly Enabled[], title: string) => string[];
export {};
