import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { packageRoot } from '../../src/core/file/package-root.ts';
import { listFiles, listImports, sourceRoot, toLayer, toName } from './source.ts';

const rules = JSON.parse(readFileSync(new URL('./layers.json', import.meta.url), 'utf8')) as {
  ranks: Record<string, number>;
  importsFeatures: string[];
  importsLate: string[];
  fileLines: number;
  generated: string;
};
const files = listFiles(sourceRoot);
const imports = files.flatMap(listImports);
const rank = (file: string): number => rules.ranks[toLayer(file)] ?? Number.NaN;

const layers = suite('layers');

layers('every file lies in a known layer', () => {
  assert.equal(files.filter((file) => Number.isNaN(rank(file))).map(toName), []);
});

layers('a file imports its own folder or a lower layer', () => {
  const wrong = imports.filter(({ from, to }) => toLayer(from) !== toLayer(to) && !(rank(to) < rank(from)));
  assert.equal(
    wrong.map(({ from, to }) => `${toName(from)} -> ${toName(to)}`),
    [],
  );
});

layers('no feature imports another', () => {
  const feature = (file: string): string => relative(sourceRoot, file).split('/')[1] as string;
  const wrong = imports.filter(
    ({ from, to }) => toLayer(from) === 'feature' && toLayer(to) === 'feature' && feature(from) !== feature(to),
  );
  assert.equal(
    wrong.map(({ from, to }) => `${toName(from)} -> ${toName(to)}`),
    [],
  );
});

layers('only the composition root imports features', () => {
  const wrong = imports.filter(
    ({ from, to }) =>
      toLayer(to) === 'feature' && toLayer(from) !== 'feature' && !rules.importsFeatures.includes(toName(from)),
  );
  assert.equal(
    wrong.map(({ from, to }) => `${toName(from)} -> ${toName(to)}`),
    [],
  );
});

/** What a dialect needs is decided where SQL is made. */
const KNOWS_DIALECT = /^src\/(?:database|store)\//;

layers('only the database and the store ask which dialect it is', () => {
  const asking = files.filter((file) => /\bdialect\s*[!=]==/.test(readFileSync(file, 'utf8'))).map(toName);
  assert.equal(
    asking.filter((name) => !KNOWS_DIALECT.test(name)),
    [],
  );
});

/** Where rows of a model are written, and the layers with tables of their own. */
const WRITES_ROWS = /^src\/(?:database|store|queue|limit)\//;
/** A table of Treadle's own: by its name, by a constant, or by a variable that goes through such ones. */
const OWN_TABLE = /^(?:'treadle_|[A-Z]+\b|table\))/;

layers('rows of a model are written in the store alone', () => {
  const writing = files.map(toName).filter((name) => !WRITES_ROWS.test(name));
  const found = writing.flatMap((name) =>
    [
      ...readFileSync(join(packageRoot, name), 'utf8').matchAll(
        /\.(?:insertInto|updateTable|deleteFrom)\(\s*([^)\n]+\)?)/g,
      ),
    ]
      .filter(([, table]) => !OWN_TABLE.test(String(table)))
      .map(([text]) => `${name}: ${text}`),
  );
  assert.equal(found, []);
});

layers('own source is imported late only by the command line and where a part may be missing', () => {
  const late = imports.filter(
    ({ from, isDynamic }) => isDynamic && toLayer(from) !== 'cli' && !rules.importsLate.includes(toName(from)),
  );
  assert.equal(
    late.map(({ from, to }) => `${toName(from)} -> ${toName(to)}`),
    [],
  );
});

layers('there is no import cycle, of types either', () => {
  const graph = new Map<string, string[]>();
  for (const { from, to, isDynamic } of imports) if (!isDynamic) graph.set(from, [...(graph.get(from) ?? []), to]);
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (file: string, path: string[]): void => {
    if (path.includes(file)) {
      cycles.push([...path.slice(path.indexOf(file)), file].map(toName).join(' -> '));
      return;
    }
    if (done.has(file)) return;
    for (const next of graph.get(file) ?? []) visit(next, [...path, file]);
    done.add(file);
  };
  for (const file of files) visit(file, []);
  assert.equal(cycles, []);
});

layers.run();

const sizes = suite('sizes and names');

sizes('no source file is longer than the limit', () => {
  const long = files.map((file) => ({ file: toName(file), lines: readFileSync(file, 'utf8').split('\n').length - 1 }));
  assert.equal(
    long.filter(({ file, lines }) => lines > rules.fileLines && !file.startsWith(rules.generated)),
    [],
  );
});

/** One behaviour a file: everybody finds what they look for. */
const MAY_BE_LONG = /(?:^|\/)(?:events|command)$/;

sizes('a folder has at most 30 files, but events/ and command/', () => {
  const counts = new Map<string, number>();
  for (const file of files) counts.set(dirname(toName(file)), (counts.get(dirname(toName(file))) ?? 0) + 1);
  const many = [...counts].filter(([folder, count]) => count > 30 && !MAY_BE_LONG.test(folder));
  assert.equal(many, []);
});

sizes('no folder or file is named for nothing in particular', () => {
  const empty = /(^|\/)(utils?|helpers?|common|misc|managers?|services?)(\/|\.ts$)/;
  assert.equal(
    files.map(toName).filter((file) => empty.test(file)),
    [],
  );
});

sizes('state lives in what is created: no module-level let', () => {
  assert.equal(files.filter((file) => /^(export )?let /m.test(readFileSync(file, 'utf8'))).map(toName), []);
});

sizes('no barrel inside src but index.ts', () => {
  const barrel = (file: string): boolean => /^export \* from/m.test(readFileSync(file, 'utf8'));
  assert.equal(
    files
      .filter(barrel)
      .map(toName)
      .filter((file) => file !== 'src/index.ts' && file !== 'src/model/shape.ts'),
    [],
  );
});

sizes('a file of an event is named as an event that its feature lists', () => {
  const wrong = files
    .filter((file) => /\/feature\/[^/]+\/events\//.test(file))
    .filter((file) => {
      const event = (file.split('/').at(-1) as string).replace(/\.ts$/, '');
      const folder = dirname(dirname(file));
      return !listFiles(folder).some((other) => readFileSync(other, 'utf8').includes(`'${event}'`));
    });
  assert.equal(wrong.map(toName), []);
});

sizes.run();

const tests = suite('tests');

tests('every test file runs each of its suites', () => {
  const wrong = listFiles(join(packageRoot, 'test'), '.test.ts').filter((file) => {
    const text = readFileSync(file, 'utf8');
    const made = [...text.matchAll(/(?:const|let)\s+(\w+)\s*=\s*suite\b/g)].map((match) => match[1]);
    return (
      made.some((name) => !new RegExp(`\\b${name}\\.run\\(\\)`).test(text)) ||
      (made.length === 0 && !/\btest\.run\(\)|\.run\(\);/.test(text))
    );
  });
  assert.equal(wrong.map(toName), []);
});

tests('nothing in the repository names a machine, a registry or a workplace', () => {
  const marks = [['/', 'work', '/'].join(''), ['registry.', 'npmjs'].join(''), ['farm', '-'].join('')];
  const checked = [
    ...files,
    ...listFiles(join(packageRoot, 'test')),
    ...listFiles(join(packageRoot, 'scaffold'), ''),
    join(packageRoot, 'package-lock.json'),
  ];
  const wrong = checked.filter((file) => {
    const text = readFileSync(file, 'utf8');
    return marks.some((mark) => text.includes(mark)) || /"resolved": "https?:/.test(text);
  });
  assert.equal(wrong.map(toName), []);
});

tests.run();
