export interface TextFile {
    /** Path from the project's root, with forward slashes. */
    readonly file: string;
    readonly text: string;
}
/** Text files of a project that may contain defined names, sorted by path. Does not follow links. */
export declare function readTextFiles(root: string, folder?: string): Promise<TextFile[]>;
export declare const isTemplate: (file: string) => boolean;
export declare const isCode: (file: string) => boolean;
export declare const isFixture: (file: string) => boolean;
