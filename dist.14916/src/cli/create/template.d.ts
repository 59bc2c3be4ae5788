export declare const TEMPLATES: readonly ['blog', 'bare'];
export type Template = (typeof TEMPLATES)[number];
export interface TemplateWords {
    /** Package name, such as `my-blog`. */
    readonly name: string;
    /** Title of the site, such as `My blog`. */
    readonly title: string;
    /** The dependency in package.json: `^0.1.0`, `file:/…`. */
    readonly treadle: string;
}
/** The files of a template by their path in the project, with forward slashes. */
export declare function readTemplate(template: Template, words: TemplateWords): Map<string, Buffer>;
/** Converts a folder's name to a valid npm package name. */
export declare function toPackageName(folder: string): string;
/** Converts a package's name to a valid name for a systemd unit, a Linux user and a folder. */
export declare function toUnitName(name: string): string;
