import type { Random } from '../../core/clock.ts';
import { type Template } from './template.ts';
export interface ProjectOptions {
    /** Absolute path; created if missing. */
    readonly folder: string;
    readonly template: Template;
    /** The `treadle` dependency in package.json. Default: `^` and this version. */
    readonly treadle?: string;
    readonly random: Random;
}
/** The files of a new project, including `.env` with a new secret. */
export declare function toProjectFiles(options: ProjectOptions): Map<string, Buffer>;
/** @throws CREATE_FOLDER_FULL if the folder is not empty. */
export declare function refuseFullFolder(folder: string): void;
/**
 * Writes a new project. The files are written to a temporary folder next to it and moved into place, so that an
 * interruption leaves no half-written project.
 *
 * @throws CREATE_FOLDER_FULL
 */
export declare function writeProject(options: ProjectOptions): string[];
/** The value of `--use` for package.json: an absolute path for a tarball or folder, anything else unchanged. */
export declare function toDependency(spec: string, cwd: string): string;
