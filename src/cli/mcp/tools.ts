import { change } from './tool/change.ts';
import { check } from './tool/check.ts';
import { describe } from './tool/describe.ts';
import { docsSearch } from './tool/docs-search.ts';
import { explain } from './tool/explain.ts';
import { lastErrors } from './tool/last-errors.ts';
import { migrate } from './tool/migrate.ts';
import { routes } from './tool/routes.ts';
import { rows } from './tool/rows.ts';
import type { Tool } from './tool.ts';

/** All tools, in the order in which an assistant needs them. */
export const TOOLS: readonly Tool[] = [docsSearch, describe, change, check, migrate, routes, explain, rows, lastErrors];
