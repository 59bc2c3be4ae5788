import { type CommandSpec } from '../spec.ts';
export declare const command: CommandSpec;
