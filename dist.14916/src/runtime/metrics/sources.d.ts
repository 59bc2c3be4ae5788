import type { FigureSource } from '../../core/figure.ts';
import type { CompiledPlan } from '../../plan/compile.ts';
import type { Context } from '../../plan/feature.ts';
import type { ConnectionFigures } from '../connections.ts';
/** @param find Returns the connection figures; undefined until the server exists. */
export declare const listConnectionFigures: (find: () => ConnectionFigures | undefined) => FigureSource;
/** All metric sources of a plan. */
export declare function listSources({ contributions }: CompiledPlan, context: Context): readonly FigureSource[];
