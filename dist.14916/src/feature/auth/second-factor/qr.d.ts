/** A QR code as the `d` of an SVG path, one unit a module. Needs no style, so a strict policy allows it. */
export declare function toQrPath(text: string): {
    readonly size: number;
    readonly path: string;
};
