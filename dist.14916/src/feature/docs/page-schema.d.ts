import type { SchemaModel } from '../../model/model.ts';
import type { CallPlan } from '../../plan/feature.ts';
import { type DocPage } from './page.ts';
import type { Source } from './source.ts';
export declare function toSchemaList(schemas: readonly SchemaModel[], calls: readonly CallPlan[]): DocPage;
export declare function toSchemaPage(schema: SchemaModel, source: Source, calls: readonly CallPlan[]): DocPage;
