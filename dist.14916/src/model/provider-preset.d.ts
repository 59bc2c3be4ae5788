/** What is known of a provider by its name; the settings override each. */
export interface ProviderPreset {
    readonly label: string;
    readonly issuer?: string;
    readonly authorizeUrl?: string;
    readonly tokenUrl?: string;
    readonly userUrl?: string;
    readonly emailsUrl?: string;
    readonly scope?: string;
}
export declare const findPreset: (name: string) => ProviderPreset | undefined;
