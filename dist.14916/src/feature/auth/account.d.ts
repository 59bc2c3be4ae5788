import type { Request } from '../../core/request.ts';
import type { Row } from '../../database/database.ts';
import type { Model } from '../../model/model.ts';
/** An account and its profile in one flat row, without the password hash and secret profile columns. */
export declare function toAccount({ schemas }: Model, auth: Row, profile: Row | undefined): Row;
/** A text of the stage; empty if it is something else. */
export declare const readText: (value: unknown) => string;
/** A positive integer from the stage, which may hold it as text; undefined if invalid. */
export declare function parseId(value: unknown): number | undefined;
/** The client address that the runtime determined. */
export declare const toAddress: (request: Request) => string;
