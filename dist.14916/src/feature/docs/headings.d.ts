/** A section of a page, for the page's contents. */
export interface Heading {
    readonly id: string;
    /** Already escaped, because it comes from a rendered template. */
    readonly label: string;
}
/** Adds a link to each section's heading, and lists the headings for the contents. */
export declare function anchorHeadings(html: string): {
    readonly html: string;
    readonly headings: readonly Heading[];
};
