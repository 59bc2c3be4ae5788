/** Detected type of a file. */
export interface FileContent {
    /** Extension to store the file under: letters and digits. */
    readonly extension: string;
    readonly mime: string;
}
/** Width and height in pixels. */
export interface ImageSize {
    readonly width: number;
    readonly height: number;
}
/**
 * Detects the type of a file from its bytes; undefined if unknown. Uses the sender's claim only between
 * kinds of text, which bytes cannot tell apart.
 */
export declare function readContent(bytes: Buffer, name: string): Promise<FileContent | undefined>;
/** Width and height from the image header; undefined if it has none. Does not decode the image. */
export declare function readImageSize(bytes: Buffer): Promise<ImageSize | undefined>;
