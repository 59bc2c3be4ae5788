/** Counts of an hour, as the event `app-traffic` has them. */
export interface HourCount {
    readonly hour: number;
    readonly succeeded: number;
    readonly refused: number;
    readonly failed: number;
}
/** Responses within a period, by class of status. */
interface Bar {
    /** Label of the period: `14:00`, or `2026-01-31`. */
    readonly label: string;
    readonly succeeded: number;
    readonly refused: number;
    readonly failed: number;
    readonly total: number;
}
/** A segment of a bar, in units of the chart's view box. */
interface Part {
    readonly kind: 'succeeded' | 'refused' | 'failed';
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
}
export interface Figures {
    readonly bars: readonly (Bar & {
        readonly parts: readonly Part[];
        readonly x: number;
        readonly width: number;
    })[];
    readonly total: number;
    readonly succeeded: number;
    readonly refused: number;
    readonly failed: number;
    /** Share of responses below 400 in percent with one digit; undefined without any. */
    readonly rate: string | undefined;
    readonly most: number;
    readonly first: string;
    readonly last: string;
    readonly width: number;
    readonly height: number;
}
/** The last 24 hours, UTC; the current hour is last. */
export declare const toDayFigures: (counts: readonly HourCount[], now: number) => Figures;
/** The last 30 days, UTC; today is last. */
export declare const toMonthFigures: (counts: readonly HourCount[], now: number) => Figures;
export {};
