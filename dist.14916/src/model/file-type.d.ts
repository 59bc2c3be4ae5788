import type { Field } from './shape.ts';
/** A file type, by its extension. */
export interface FileType {
    readonly mime: string;
    /** True if shown in the browser; other types are downloaded. */
    readonly isInline: boolean;
    /** True if accepted by fields without an `accept` attribute. */
    readonly isUsual: boolean;
}
/** Known file types. Others are accepted if `accept` names them, and served as plain bytes. */
export declare const FILE_TYPES: Readonly<Record<string, FileType>>;
/** Text types: their content has no signature, so the extension of the sent name decides. */
export declare const TEXT_EXTENSIONS: ReadonlySet<string>;
/** The extension under which a file type is stored. */
export declare const toExtension: (extension: string) => string;
export declare const isImageField: ({ type }: Field) => boolean;
/** The types in a field's `accept`, such as `.pdf`, `image/*`, `application/zip`. */
export declare function listAccepted({ attributes }: Field): string[];
/**
 * True if a field accepts a file type: an image field only images, any field what `accept` names or the usual
 * types.
 */
export declare function isAccepted(field: Field, extension: string, mime: string): boolean;
/** The accepted file types of a field, in words. */
export declare function describeAccepted(field: Field): string;
/** URL path of uploads. */
export declare const UPLOAD_PATH = "/upload/";
/** 132 random bits, and the extension of the detected type. */
export declare const UPLOAD_NAME: RegExp;
/** The file name in an address of this site's uploads; undefined for any other address. */
export declare function toUploadName(address: string): string | undefined;
