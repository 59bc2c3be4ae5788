/** Officially assigned codes of ISO 3166-1 alpha-2. */
export declare const COUNTRIES: readonly string[];
/** Codes with their English names, sorted by name, for a select. */
export declare function listCountries(): {
    readonly key: string;
    readonly value: string;
}[];
