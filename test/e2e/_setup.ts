// The old names of `test/boot.ts`, until no suite uses them.
import type { AppOptions } from '../../src/boot.ts';
import { boot, type Site } from '../boot.ts';
import { runCommand as cli } from '../project.ts';

export { addArticle, type Site } from '../boot.ts';
export { type Answer as Page, Client as Browser } from '../client.ts';
export { cli };

export const startBlog = (
  prepare: (root: string) => Promise<unknown> = async () => {},
  options: Partial<AppOptions> = {},
): Promise<Site> => boot({ mode: 'development', change: ({ root }) => prepare(root), ...options });
