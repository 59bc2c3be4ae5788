/** Temporary name of a file while it is written; contains the writing process. */
export declare function toTemporary(path: string): string;
/** Removes the files of {@link toTemporary} that killed processes left in a folder. */
export declare function tidyTemporary(folder: string): Promise<void>;
