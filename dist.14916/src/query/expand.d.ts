import type { RelationModel } from '../model/model.ts';
import { type Faults } from './draft.ts';
import type { Source } from './source.ts';
/** Parses `expand`; refuses it if it could return more related rows than the settings allow. */
export declare function parseExpand(raw: unknown, source: Source, { limit, expandRows }: {
    readonly limit: number;
    readonly expandRows: number;
}, faults: Faults): RelationModel[];
