import type { Clock } from '../core/clock.ts';
import { type Problem } from '../core/errors.ts';
import type { Views } from '../plan/feature.ts';
export interface TemplateOptions {
    /** Absolute path of the folder with the `.html` files. */
    readonly folder: string;
    readonly clock: Clock;
    /** Base of file names in messages: the project's root. Default: the folder. */
    readonly root?: string;
    /** `.txt` files are plain text: nothing is escaped in them. Default `.html`. */
    readonly extension?: '.html' | '.txt';
    /** Start of the names that {@link Templates.check} reads. Default all. */
    readonly within?: string;
}
/**
 * A folder of templates, read once and then unchanged, so that an instance belongs to one plan and a half-saved
 * file affects nobody. A reload creates a new instance.
 */
export interface Templates {
    /**
     * Renders `<folder>/<name>.html`.
     *
     * @throws VIEW_TEMPLATE_MISSING. @throws VIEW_TEMPLATE_BROKEN with file and line.
     */
    render(name: string, data?: object): string;
    /** True if the template exists. */
    has(name: string): boolean;
    /** Reads and parses the whole folder; returns the errors as problems. */
    check(): readonly Problem[];
}
export declare function createTemplates(options: TemplateOptions): Templates;
/** Treadle's own pages, `templates/<feature>/<name>.html`; `reload` reads them again. */
export declare function createViews(options: TemplateOptions): Views & {
    check(): readonly Problem[];
    reload(): void;
};
/** The templates of a project's package: `<package>/src/template/<name>.html`. Created for each plan. */
export declare function createPackageView(options: TemplateOptions): {
    view(name: string, data?: object): string;
    readonly renderMail: Views['renderMail'];
    check(): readonly Problem[];
};
