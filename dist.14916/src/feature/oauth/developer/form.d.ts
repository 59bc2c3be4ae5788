import type { Row } from '../../../database/database.ts';
import { type Pair } from '../../../developer/frame.ts';
import type { Context } from '../../../plan/feature.ts';
import type { ClientApp } from '../client/app-row.ts';
/** The scopes and web hooks of a form, with their selection and pending approvals. */
export declare function toChoices(context: Context, form: Row, app?: ClientApp): Row;
export declare function openCreate(context: Context, pair: Pair): Promise<void>;
export declare function postCreate(context: Context, pair: Pair): Promise<void>;
export declare function openUpdate(context: Context, pair: Pair): Promise<void>;
export declare function postUpdate(context: Context, pair: Pair): Promise<void>;
export declare function postRefresh(context: Context, pair: Pair): Promise<void>;
export declare const postStop: (context: Context, pair: Pair) => Promise<void>;
export declare const postResume: (context: Context, pair: Pair) => Promise<void>;
export declare function postRemove(context: Context, pair: Pair): Promise<void>;
