/** A browser for people, such as `Firefox on Linux`, from its `User-Agent` header. */
export declare function toBrowserName(agent: string): string;
