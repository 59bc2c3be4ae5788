import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { packageRoot } from '../../src/core/file/package-root.ts';
import { listFiles, listImports, sourceRoot, toName } from './source.ts';

const manifest = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
};
const programs = listFiles(join(packageRoot, 'bin'));
const files = [...programs, ...listFiles(sourceRoot)];

/** In an example of the docs: code of a web hook receiver. */
const SHOWN: ReadonlySet<string> = new Set(['standardwebhooks']);

/** Packages that a file imports, statically, dynamically or with require, without the path inside the package. */
function listPackages(text: string): string[] {
  const found = text.matchAll(
    /(?:^(?:import|export)\b[^'"]*?\bfrom\s*|^import\s*|\bimport\(\s*|\brequire(?:\.resolve)?\(\s*)'([@a-z][\w@./-]*)'/gm,
  );
  return [...found]
    .map(([, specifier = '']) => specifier)
    .filter((specifier) => !specifier.startsWith('node:') && !builtinModules.includes(specifier))
    .map((specifier) =>
      specifier
        .split('/')
        .slice(0, specifier.startsWith('@') ? 2 : 1)
        .join('/'),
    );
}

/** Comments also show imports, such as those of a project. */
const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');

const used = new Set(files.flatMap((file) => listPackages(withoutComments(readFileSync(file, 'utf8')))));

const reach = suite('structure/reach');

reach('every source file is reached from a program or from index.ts', () => {
  const seen = new Set<string>();
  const queue = [...programs, join(sourceRoot, 'index.ts'), join(sourceRoot, 'testing/site.ts')];
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    queue.push(...listImports(file).map(({ to }) => to));
  }
  assert.equal(files.filter((file) => !seen.has(file)).map(toName), []);
});

reach('package.json has every package that the source imports, and no other', () => {
  const wanted = Object.keys(manifest.dependencies);
  assert.equal(
    wanted.filter((name) => !used.has(name)),
    [],
    'dependencies that src/ does not import',
  );
  const missing = [...used].filter((name) => !wanted.includes(name) && !SHOWN.has(name));
  assert.equal(missing, [], 'packages that src/ imports and package.json lacks');
});

interface Locked {
  readonly dependencies?: Record<string, string>;
  readonly devDependencies?: Record<string, string>;
  readonly optionalDependencies?: Record<string, string>;
}

reach('package-lock.json has all that it asks for, for every platform: else `npm ci` refuses it', () => {
  const lock = JSON.parse(readFileSync(join(packageRoot, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>;
  };
  const isFound = (from: string, name: string): boolean => {
    for (let place = from; ; place = place.slice(0, Math.max(0, place.lastIndexOf('node_modules/') - 1))) {
      if (`${place}${place === '' ? '' : '/'}node_modules/${name}` in lock.packages) return true;
      if (place === '') return false;
    }
  };
  const missing = Object.entries(lock.packages).flatMap(
    ([place, { dependencies, devDependencies, optionalDependencies }]) =>
      Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies })
        .filter((name) => !isFound(place, name))
        .map((name) => `${place}: ${name}`),
  );
  assert.equal(missing, []);
  assert.equal(lock.packages['']?.dependencies, manifest.dependencies);
  assert.equal(lock.packages['']?.devDependencies, manifest.devDependencies);
});

reach('type packages are those of packages that are there', () => {
  const known = { ...manifest.dependencies, ...manifest.devDependencies };
  const idle = Object.keys(known).filter(
    (name) => name.startsWith('@types/') && name !== '@types/node' && !(name.slice('@types/'.length) in known),
  );
  assert.equal(idle, []);
});

reach.run();
