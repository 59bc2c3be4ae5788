import type { RenderMail } from '../plan/feature.ts';
interface Templates {
    has(name: string): boolean;
    render(name: string, data?: object): string;
}
/** Renders the two templates of a mail, `<mailFolder><name>.txt` and `.html`; either may be missing. */
export declare function createMailView({ html, text, mailFolder, }: {
    readonly html: Templates;
    readonly text: Templates;
    /** Start of their names in both folders, such as `mail/`. */
    readonly mailFolder: string;
}): RenderMail;
export {};
