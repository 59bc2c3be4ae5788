import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';
import { BoundedMap } from '../core/bounded-map.ts';
import type { Clock } from '../core/clock.ts';
import { TreadleError } from '../core/errors.ts';
import type { Log } from '../core/log/log.ts';
import { readFileState } from './asset.ts';
import { ImageCache } from './image-cache.ts';

/** Widths in pixels that images are made in; another width becomes the next one up. */
export const IMAGE_WIDTHS = [320, 480, 640, 960, 1280, 1920, 2560] as const;

/** A size of an image. */
export interface SizedImage {
  readonly bytes: Buffer;
  readonly type: string;
  readonly etag: string;
}

/**
 * The answer for a width: a size; `original` to send the file unchanged, because it is animated or not wider;
 * `unavailable` if there is nothing that makes sizes; undefined if the file is gone.
 */
export type FoundImage = SizedImage | 'original' | 'unavailable' | undefined;

/** Makes and keeps sizes of images. */
export interface Images {
  /**
   * An image file in a width.
   *
   * @throws IMAGE_REFUSED (422) if it is too large to open, or no image. @throws IMAGE_BUSY (503) if too many wait.
   */
  find(path: string, width: number): Promise<FoundImage>;
}

/** Pixels of the largest image that is opened. */
const MOST_PIXELS = 60_000_000;
/** An interlaced image has to be in memory as a whole. */
const MOST_PROGRESSIVE_PIXELS = 24_000_000;
/** Images that are worked on at a time. Each takes a thread of libuv's pool, which files and the database share. */
const MOST_AT_ONCE = 2;
const MOST_WAITING = 500;
const MOST_REMEMBERED = 5000;

interface Format {
  readonly extension: string;
  readonly type: string;
  readonly options: object;
}

/** What each format is written as: itself. */
const FORMATS: Readonly<Record<string, Format>> = {
  jpeg: { extension: 'jpg', type: 'image/jpeg', options: { quality: 80, progressive: true } },
  png: { extension: 'png', type: 'image/png', options: {} },
  webp: { extension: 'webp', type: 'image/webp', options: { quality: 80 } },
  avif: { extension: 'avif', type: 'image/avif', options: { quality: 55, effort: 2 } },
};
const BY_EXTENSION: Readonly<Record<string, string>> = {
  '.jpg': 'jpeg',
  '.jpeg': 'jpeg',
  '.png': 'png',
  '.webp': 'webp',
  '.avif': 'avif',
};

const findFormat = (path: string): string | undefined => BY_EXTENSION[extname(path).toLowerCase()];

/**
 * The image width that a query string requests, as it is made; undefined if it requests none, or the file comes in one
 * size only.
 *
 * @throws IMAGE_WIDTH_INVALID (400)
 */
export function readImageWidth(path: string, query: string): number | undefined {
  if (!query.includes('width=') || findFormat(path) === undefined) return undefined;
  const given = new URLSearchParams(query).get('width');
  if (given === null) return undefined;
  const width = /^[1-9]\d{0,5}$/.test(given) ? Number(given) : undefined;
  if (width === undefined) {
    throw new TreadleError('IMAGE_WIDTH_INVALID', `"${given.slice(0, 40)}" is not a width of an image.`, {
      status: 400,
      hint: `Widths are ${IMAGE_WIDTHS.join(', ')}; any other is rounded up.`,
    });
  }
  return IMAGE_WIDTHS.find((made) => made >= width) ?? IMAGE_WIDTHS[IMAGE_WIDTHS.length - 1];
}

/** The part of `sharp` that is used. It is optional, so its types may be missing. */
interface Sharp {
  (path: string, options: object): Pipeline;
  concurrency(threads: number): unknown;
  cache(isOn: boolean): unknown;
}
interface Pipeline {
  metadata(): Promise<{
    readonly width?: number;
    readonly height?: number;
    readonly pages?: number;
    readonly format?: string;
    readonly isProgressive?: boolean;
    readonly orientation?: number;
  }>;
  rotate(): Pipeline;
  resize(size: { readonly width: number }): Pipeline;
  toFormat(format: string, options: object): Pipeline;
  toBuffer(): Promise<Buffer>;
}

/** Where `sharp` may be installed: in the project, or beside Treadle. */
const toPlaces = (root: string): string[] => [join(root, 'package.json'), import.meta.url];

/** Whether {@link loadSharp} finds it; loads nothing. */
export function hasSharp(root: string): boolean {
  return toPlaces(root).some((place) => {
    try {
      return createRequire(place).resolve('sharp') !== '';
    } catch {
      return false;
    }
  });
}

/** The project's own `sharp`, else the one beside Treadle; undefined if neither is installed. */
function loadSharp(root: string): Sharp | undefined {
  for (const place of toPlaces(root)) {
    try {
      const sharp: Sharp = createRequire(place)('sharp');
      sharp.concurrency(1);
      sharp.cache(false);
      return sharp;
    } catch {}
  }
  return undefined;
}

function refuse(path: string, reason: string, cause?: unknown): TreadleError {
  const message = `${path.slice(path.lastIndexOf('/') + 1)} ${reason}`;
  return new TreadleError('IMAGE_REFUSED', message, { status: 422, ...(cause === undefined ? {} : { cause }) });
}

const TOO_LARGE = `has more than ${MOST_PIXELS / 1e6} million pixels, or is interlaced and has more than ${MOST_PROGRESSIVE_PIXELS / 1e6} million: it comes in no other size.`;
const OPTIONS = { limitInputPixels: MOST_PIXELS, sequentialRead: true, failOn: 'error' };

/** Whether a size is made of an image, by its header; false for one that is sent as it is. */
async function isMade(sharp: Sharp, path: string, width: number): Promise<boolean> {
  const about = await sharp(path, OPTIONS).metadata();
  const { width: across = 0, height: down = 0, pages = 1, isProgressive, orientation = 1 } = about;
  const shown = orientation >= 5 ? down : across;
  if (pages > 1 || shown <= width) return false;
  if (isProgressive && across * down > MOST_PROGRESSIVE_PIXELS) throw refuse(path, TOO_LARGE);
  return true;
}

async function make(sharp: Sharp, path: string, width: number): Promise<Buffer | 'original'> {
  const name = findFormat(path) ?? 'jpeg';
  try {
    if (!(await isMade(sharp, path, width))) return 'original';
    // `rotate` turns the pixels as the camera's mark says, because the mark and all other metadata are left out.
    const pipeline = sharp(path, OPTIONS).rotate().resize({ width });
    return await pipeline.toFormat(name, FORMATS[name]?.options ?? {}).toBuffer();
  } catch (error) {
    if (error instanceof TreadleError) throw error;
    const isLarge = error instanceof Error && /pixel limit/i.test(error.message);
    throw refuse(path, isLarge ? TOO_LARGE : 'cannot be read as an image.', error);
  }
}

class DiskImages implements Images {
  readonly #options: ImagesOptions;
  readonly #cache: ImageCache;
  readonly #running = new Map<string, Promise<FoundImage>>();
  /** Sizes that are the file itself. */
  readonly #originals = new BoundedMap<true>(MOST_REMEMBERED);
  readonly #waiting: (() => void)[] = [];
  #sharp: Sharp | 'none' | undefined;
  #working = 0;

  constructor(options: ImagesOptions) {
    this.#options = options;
    const { root, clock, mostBytes } = options;
    const folder = join(root, 'var', 'cache', 'image');
    this.#cache = new ImageCache({ folder, clock, ...(mostBytes === undefined ? {} : { mostBytes }) });
  }

  async find(path: string, width: number): Promise<FoundImage> {
    const state = readFileState(path);
    const format = FORMATS[findFormat(path) ?? ''];
    if (state === undefined || format === undefined) return undefined;
    // The state is part of the name: a replaced file has other sizes.
    const id = createHash('sha256').update(`${path}\n${state}`).digest('base64url').slice(0, 32);
    const name = `${id}-${width}.${format.extension}`;
    if (this.#originals.has(name)) return 'original';
    const running = this.#running.get(name);
    if (running) return running;
    const work = this.#findOrMake({ path, width, name, state, format });
    this.#running.set(name, work);
    try {
      return await work;
    } finally {
      this.#running.delete(name);
    }
  }

  async #findOrMake({ path, width, name, state, format }: SizeRequest): Promise<FoundImage> {
    const toImage = (bytes: Buffer): SizedImage => ({ bytes, type: format.type, etag: `"${name.split('.')[0]}"` });
    const cached = await this.#cache.read(name);
    if (cached) return toImage(cached);
    const sharp = this.#load();
    if (!sharp) return 'unavailable';
    const made = await this.#inTurn(() => make(sharp, path, width));
    // It was replaced meanwhile: the next request makes the new one.
    if (readFileState(path) !== state) return 'unavailable';
    if (made === 'original') {
      this.#originals.set(name, true);
      return 'original';
    }
    await this.#cache.write(name, made).catch((error: unknown) => {
      this.#options.log.warn('the size of an image was not kept', { error });
    });
    return toImage(made);
  }

  #load(): Sharp | undefined {
    if (this.#sharp === undefined) {
      const { load = loadSharp, root, log } = this.#options;
      this.#sharp = load(root) ?? 'none';
      if (this.#sharp === 'none')
        log.warn('images are sent in their own size: sharp is not installed', { hint: 'Type: npm install sharp' });
    }
    return this.#sharp === 'none' ? undefined : this.#sharp;
  }

  /** Runs work when fewer than {@link MOST_AT_ONCE} run. */
  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#working >= MOST_AT_ONCE) {
      if (this.#waiting.length >= MOST_WAITING) {
        throw new TreadleError('IMAGE_BUSY', 'Too many images are being made in other sizes.', { status: 503 });
      }
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else this.#working += 1;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#working -= 1;
    }
  }
}

interface SizeRequest {
  readonly path: string;
  readonly width: number;
  readonly name: string;
  readonly state: string;
  readonly format: Format;
}

export interface ImagesOptions {
  /** Project root, absolute. */
  readonly root: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Bytes of all sizes on disk. Default 256 MiB. */
  readonly mostBytes?: number;
  /** Loads the image library. Default: the project's `sharp`. */
  readonly load?: (root: string) => Sharp | undefined;
}

/** Sizes of images under `var/cache/image`. */
export function createImages(options: ImagesOptions): Images {
  return new DiskImages(options);
}
