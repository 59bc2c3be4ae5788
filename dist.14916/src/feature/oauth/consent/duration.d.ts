/** A duration in its largest whole unit: `30 days`, `90 minutes`. */
export declare function toDuration(seconds: number): string;
