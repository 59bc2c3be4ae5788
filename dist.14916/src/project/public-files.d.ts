/** URL paths of the project's static files, such as `/logo.svg`. */
export declare function listPublicFiles(root: string): string[];
