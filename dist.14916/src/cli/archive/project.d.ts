import { type Problem } from '../../core/errors.ts';
import type { Database, Dialect } from '../../database/database.ts';
import { type Table } from '../../database/table.ts';
import type { Invocation } from '../spec.ts';
/** Folder of the uploaded files, relative to the project's root. */
export declare const UPLOADS = "var/upload";
/** Printed after rows were written into a database without a recorded mode. */
export declare const UNSERVED = "No server has used this database. Commands treat it as production until \"treadle dev\" has served it.";
/** The facts about a project for commands that move all its rows. */
export interface ProjectData {
    readonly root: string;
    /** Name of the site. */
    readonly name: string;
    /** URL of its database. */
    readonly url: string;
    /** Tables of its model; undefined if a definition is invalid. */
    readonly tables: ((dialect: Dialect) => readonly Table[]) | undefined;
    /** Errors in the definitions. */
    readonly problems: readonly Problem[];
}
export declare function readProjectData(invocation: Invocation): Promise<ProjectData>;
/** The tables of a project with valid definitions. @throws PROJECT_DEFINITIONS_INVALID */
export declare function needTables({ tables, problems }: ProjectData): NonNullable<ProjectData['tables']>;
type Work<T> = (database: Database) => Promise<T>;
/** Works with the project's database, but never creates it. @throws ARCHIVE_SOURCE_MISSING */
export declare function withSource<T>({ url, root }: ProjectData, work: Work<T>): Promise<T>;
/** Works with the target database. A dry run creates no file: an empty database in memory gives the same result. */
export declare function withTarget<T>(url: string, { root, isDryRun }: TargetOptions, work: Work<T>): Promise<T>;
interface TargetOptions {
    readonly root: string;
    readonly isDryRun: boolean;
}
/** A database URL without its password, for display. */
export declare function toShownUrl(url: string): string;
/** A progress line that learns the total from the first report. */
export declare function createRowProgress({ terminal }: Invocation, label: string): {
    tell({ total, done }: {
        readonly total: number;
        readonly done: number;
    }): void;
    end: () => void;
};
export declare const toRows: (count: number) => string;
/** Formats a size: `12.3 MB`. */
export declare function toBytes(bytes: number): string;
export {};
