/** A name that the project's code passes to Treadle as a literal. */
export interface CodeName {
    /** `emit`: an event. `reroute`: a route such as `GET /articles`. `schema`: a schema. */
    readonly use: 'emit' | 'reroute' | 'schema';
    readonly name: string;
    readonly file: string;
    readonly line: number;
    readonly column: number;
}
/** The names in the code of these files, with their places. Only what the text of the code shows without running it. */
export declare function findCodeNames(root: string, files: readonly string[]): CodeName[];
