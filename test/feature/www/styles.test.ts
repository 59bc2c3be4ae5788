import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { packageRoot } from '../../../src/core/file/package-root.ts';
import { boot, type Site } from '../../boot.ts';

/** One look for every page: how much CSS there is, and that a project's theme reaches all of it. */
const styles = suite<{ site: Site }>('styles');

const FOLDERS = ['templates/styles', 'scaffold/blog/public/styles', 'scaffold/bare/public/styles'];
const THEME = ':root { --t-accent: #123456; }\n';

const listSheets = (): string[] =>
  FOLDERS.flatMap((folder) => readdirSync(join(packageRoot, folder)).map((file) => `${folder}/${file}`));

/** Class names that a sheet's rules name. */
const listClasses = (file: string): string[] => [
  ...new Set(
    [
      ...readFileSync(join(packageRoot, file), 'utf8')
        .replace(/\/\*[\s\S]*?\*\//g, '')
        .matchAll(/\.(-?[a-z_][\w-]*)/gi),
    ].map(([, name]) => String(name)),
  ),
];

styles.before(async (at) => {
  at.site = await boot({ change: (project) => project.cli('api', 'populate') });
});
styles.after(({ site }) => site?.close());

styles('all sheets of all pages together take at most 45 kB', () => {
  const sizes = listSheets().map((file) => [file, statSync(join(packageRoot, file)).size] as const);
  const sum = sizes.reduce((total, [, size]) => total + size, 0);
  assert.ok(sum <= 45_000, `${sum} bytes: ${sizes.map(([file, size]) => `${file} ${size}`).join(', ')}`);
});

styles('a sheet of Treadle names only its own classes, so that it changes nothing of a site', () => {
  for (const [file, start] of [
    ['treadle', 't-'],
    ['docs', 'd-'],
    ['admin', 't-'],
  ]) {
    const others = listClasses(`templates/styles/${file}.css`).filter((name) => !/^[td]-/.test(name));
    assert.equal(others, [], `${file}.css, whose classes start with ${start}`);
  }
});

styles('the project gives every page its colours, the pages of Treadle too', async ({ site }) => {
  assert.is((await site.get('/styles/theme.css')).status, 200);
  const ann = await site.as('Ann', ['admin']);
  for (const path of ['/', '/developer/docs', '/developer/app/search', '/admin', '/auth/account', '/no-such-page']) {
    const { text } = await ann.get(path, { accept: 'text/html' });
    const [sheet, theme] = ['treadle', 'theme'].map((name) =>
      text.search(new RegExp(`href="/styles/${name}\\.css\\?v&#x3D;`)),
    );
    assert.ok(Number(sheet) > 0 && Number(theme) > Number(sheet), path);
    assert.match(text, /<header class="t-header[\s\S]*?<a class="t-site" href="\/">/, path);
  }
});

styles('without a theme there is an empty one; the file of the project replaces it', async () => {
  for (const [files, told] of [
    [{}, /^\/\*[\s\S]*\*\/\s*$/],
    [{ 'public/styles/theme.css': THEME }, THEME],
  ] as const) {
    const site = await boot({ template: 'bare', files });
    assert.match((await site.get('/styles/theme.css')).text, told);
    await site.close();
  }
});

styles.run();
