import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { systemClock } from '../../src/core/clock.ts';
import { createLog } from '../../src/core/log/log.ts';
import {
  createImages,
  IMAGE_WIDTHS,
  type Images,
  type ImagesOptions,
  readImageWidth,
} from '../../src/project/image.ts';

const test = suite('project/image');
const at: { root: string } = { root: '' };

test.before.each(() => {
  at.root = mkdtempSync(join(tmpdir(), 'treadle-image-'));
});
test.after.each(() => rmSync(at.root, { recursive: true, force: true }));

/** A project's images; counts the files that are opened to be resized, and the most at one time. */
function open(options: Partial<ImagesOptions> = {}) {
  const seen = { works: 0, now: 0, most: 0, warnings: [] as string[] };
  const load: ImagesOptions['load'] = () => {
    const real = createRequire(import.meta.url)('sharp') as typeof sharp;
    const counting = (path: string, given: object) => {
      const made = real(path, given);
      const { toBuffer } = made;
      made.toBuffer = (async () => {
        seen.works += 1;
        seen.now += 1;
        seen.most = Math.max(seen.most, seen.now);
        try {
          return await (toBuffer as unknown as () => Promise<Buffer>).call(made);
        } finally {
          seen.now -= 1;
        }
      }) as unknown as typeof toBuffer;
      return made;
    };
    return Object.assign(counting, { concurrency: real.concurrency, cache: real.cache }) as never;
  };
  const log = createLog({ clock: systemClock, write: (line) => void seen.warnings.push(line) });
  const images = createImages({ root: at.root, clock: systemClock, log, load, ...options });
  return { images, seen };
}

const save = (name: string, bytes: Uint8Array): string => {
  const path = join(at.root, name);
  writeFileSync(path, bytes);
  return path;
};

const draw = (width: number, height: number, background = 'teal') =>
  sharp({ create: { width, height, channels: 3, background } });

/** The width of what `find` gives. */
async function widthOf(images: Images, path: string, width: number): Promise<number | string | undefined> {
  const found = await images.find(path, width);
  if (typeof found !== 'object') return found;
  return (await sharp(found.bytes).metadata()).width;
}

const cached = (): string[] => readdirSync(join(at.root, 'var/cache/image'));

/** A PNG of one bit a pixel: 64 million pixels in some kB. */
function createBomb(side: number): Buffer {
  const crc = (bytes: Buffer): number => {
    let value = 0xffffffff;
    for (const byte of bytes) {
      value ^= byte;
      for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
    }
    return (value ^ 0xffffffff) >>> 0;
  };
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc(body));
    return Buffer.concat([length, body, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(side, 0);
  head.writeUInt32BE(side, 4);
  head.writeUInt8(1, 8);
  const rows = deflateSync(Buffer.alloc(side * (1 + side / 8)));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))]);
}

test('a width is rounded up to one that is made; anything else is refused with the widths', () => {
  const table: [string, string, number | undefined][] = [
    ['a.jpg', 'width=1', 320],
    ['a.JPEG', 'x=1&width=640', 640],
    ['a.png', 'width=641', 960],
    ['a.webp', 'width=99999', 2560],
    ['a.avif', '', undefined],
    ['a.svg', 'width=5', undefined],
    ['a.gif', 'width=5', undefined],
    ['a.css', 'width=x', undefined],
    ['a.png', 'linewidth=5', undefined],
  ];
  for (const [path, query, expected] of table) assert.is(readImageWidth(path, query), expected, `${path}?${query}`);
  for (const query of ['width=', 'width=0', 'width=-1', 'width=x', 'width=1e3', 'width=9999999']) {
    assert.throws(() => readImageWidth('a.png', query), /is not a width of an image/, query);
  }
});

test('20 million pixels at 50 widths at once: one work for each width, two at a time, in bounded memory', async () => {
  const path = save('photo.jpg', await draw(5472, 3648).jpeg().toBuffer());
  const { images, seen } = open();
  const before = process.memoryUsage.rss();
  const peak = { rss: before };
  const timer = setInterval(() => {
    peak.rss = Math.max(peak.rss, process.memoryUsage.rss());
  }, 5);
  const widths = Array.from({ length: 50 }, (_, index) => readImageWidth(path, `width=${(index + 1) * 50}`) ?? 0);
  const found = await Promise.all(widths.map((width) => images.find(path, width)));
  clearInterval(timer);
  for (const [index, image] of found.entries()) {
    assert.ok(typeof image === 'object' && image.type === 'image/jpeg', `${widths[index]}`);
    assert.is((await sharp((image as { bytes: Buffer }).bytes).metadata()).width, widths[index]);
  }
  assert.is(seen.works, IMAGE_WIDTHS.length);
  assert.ok(seen.most <= 2, `${seen.most} at once`);
  // 50 whole images are 3 GB.
  assert.ok(peak.rss - before < 250e6, `${Math.round((peak.rss - before) / 1e6)} MB more`);
  assert.is(cached().length, IMAGE_WIDTHS.length);

  const again = open();
  await Promise.all(widths.map((width) => again.images.find(path, width)));
  assert.is(again.seen.works, 0, 'another process finds them on disk');
});

test('keeps the format; a camera’s turn is in the pixels, other metadata is left out', async () => {
  const { images } = open();
  for (const format of ['png', 'webp', 'avif'] as const) {
    const path = save(`a.${format}`, await draw(700, 400).toFormat(format).toBuffer());
    const found = await images.find(path, 320);
    assert.ok(typeof found === 'object', format);
    const { type, bytes } = found as { type: string; bytes: Buffer };
    const about = await sharp(bytes).metadata();
    assert.equal([type, about.width], [`image/${format}`, 320]);
  }
  const turned = await draw(400, 800).jpeg().withMetadata({ orientation: 6 }).toBuffer();
  const found = await images.find(save('turned.jpg', turned), 480);
  const about = await sharp((found as { bytes: Buffer }).bytes).metadata();
  assert.equal([about.width, about.height, about.orientation, about.exif], [480, 240, undefined, undefined]);
});

test('an image that is not wider, or animated, is sent as it is', async () => {
  const { images } = open();
  const small = save('small.png', await draw(320, 10).png().toBuffer());
  assert.is(await images.find(small, 320), 'original');
  const frames = await Promise.all(['red', 'blue'].map((color) => draw(400, 300, color).png().toBuffer()));
  const moving = save(
    'moving.webp',
    await sharp(frames, { join: { animated: true } })
      .webp()
      .toBuffer(),
  );
  assert.is(await images.find(moving, 320), 'original');
});

test('too many pixels, and what is not an image, are refused', async () => {
  const { images, seen } = open();
  const path = save('bomb.png', createBomb(8000));
  assert.ok(statSync(path).size < 20_000);
  const refused = async (file: string): Promise<string> =>
    images.find(file, 320).then(
      () => '',
      (error: { code: string; status: number; message: string }) => `${error.status} ${error.message}`,
    );
  assert.match(await refused(path), /^422 bomb\.png has more than 60 million pixels/);
  const interlaced = await draw(5400, 5400).png({ progressive: true }).toBuffer();
  assert.match(await refused(save('interlaced.png', interlaced)), /^422 interlaced\.png has more than/);
  const whole = await draw(900, 900).png().toBuffer();
  assert.match(await refused(save('half.png', whole.subarray(0, whole.length / 2))), /^422 half\.png cannot be read/);
  assert.match(await refused(save('text.jpg', Buffer.from('<svg/>'))), /^422 text\.jpg/);
  assert.ok(seen.works <= 1, 'nothing large was decoded');
});

test('a replaced file has new sizes, a removed one none', async () => {
  const { images } = open();
  const path = save('a.png', await draw(800, 100).png().toBuffer());
  const first = await images.find(path, 640);
  save('a.png', await draw(800, 300, 'tan').png().toBuffer());
  const second = await images.find(path, 640);
  assert.ok(typeof first === 'object' && typeof second === 'object');
  assert.is.not((first as { etag: string }).etag, (second as { etag: string }).etag);
  assert.is((await sharp((second as { bytes: Buffer }).bytes).metadata()).height, 240);
  rmSync(path);
  assert.is(await images.find(path, 640), undefined);
});

test('the folder of sizes is bounded; the least used go first, and drafts of a killed process', async () => {
  const folder = join(at.root, 'var/cache/image');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'old.part'), 'x');
  utimesSync(join(folder, 'old.part'), 1, 1);
  const noise = (seed: number): Buffer =>
    Buffer.from(Array.from({ length: 400 * 50 * 3 }, (_, i) => (i * i * seed) % 251));
  const { images } = open({ mostBytes: 100_000 });
  const paths: string[] = [];
  for (let seed = 1; seed <= 6; seed += 1) {
    const bytes = await sharp(noise(seed), { raw: { width: 400, height: 50, channels: 3 } })
      .png()
      .toBuffer();
    paths.push(save(`${seed}.png`, bytes));
    await images.find(paths[seed - 1] as string, 320);
    // The first is used again and again.
    await images.find(paths[0] as string, 320);
  }
  const names = cached();
  const bytes = names.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  assert.ok(bytes <= 100_000, `${bytes} bytes`);
  assert.not.ok(names.includes('old.part'));
  assert.is(await widthOf(images, paths[1] as string, 320), 320, 'made again');
});

test('without sharp the file itself is sent, and the log says once what to install', async () => {
  const { images, seen } = open({ load: () => undefined });
  const path = save('a.png', await draw(800, 10).png().toBuffer());
  assert.is(await images.find(path, 320), 'unavailable');
  assert.is(await images.find(path, 640), 'unavailable');
  assert.is(seen.warnings.length, 1);
  assert.match(seen.warnings[0] ?? '', 'npm install sharp');
});

test.run();
