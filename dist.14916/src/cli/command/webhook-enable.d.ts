import { type CommandSpec } from '../spec.ts';
export declare const enable: CommandSpec;
export declare const disable: CommandSpec;
