import { type FileKind } from '../model/shape.ts';
/** Suffix of temporary files; the watcher ignores it. */
export declare const TEMPORARY = ".treadle-tmp";
/** Path of a definition's file. @throws PROJECT_NAME_INVALID if the name cannot be a file name. */
export declare function getFile(kind: FileKind, name: string): string;
/** Writes a text to a temporary file in the folder of its target, and syncs it to disk. Creates missing folders. */
export declare function writeTemporary(path: string, text: string): Promise<string>;
/** Writes a file completely or not at all, even if the machine crashes; creates missing folders. */
export declare function writeFileAtomically(path: string, text: string): Promise<void>;
