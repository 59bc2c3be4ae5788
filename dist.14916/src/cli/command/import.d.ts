import type { SchemaModel } from '../../model/model.ts';
import { type Application } from '../application.ts';
import { type CommandSpec } from '../spec.ts';
export declare const command: CommandSpec;
export declare function getSchema(app: Application, name: string): SchemaModel;
