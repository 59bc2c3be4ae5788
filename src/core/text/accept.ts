/** A range of media types in an `Accept` header: `text/*` with its quality. */
interface AcceptRange {
  readonly type: string;
  readonly quality: number;
}

function parseAccept(accept: string): AcceptRange[] {
  return accept
    .toLowerCase()
    .split(',')
    .map((item) => {
      const [type = '', ...parameters] = item.split(';').map((part) => part.trim());
      const [, text] = parameters.map((part) => /^q=(\d(?:\.\d{0,3})?)$/.exec(part)).find(Boolean) ?? [];
      return { type, quality: text === undefined ? 1 : Math.min(1, Number(text)) };
    });
}

/** The quality of a type: of the most precise range that has it; and whether that names it in full. */
function findQuality(ranges: readonly AcceptRange[], type: string): { quality: number; isNamed: boolean } {
  const [family = ''] = type.split('/');
  for (const range of [type, `${family}/*`, '*/*']) {
    const found = ranges.find((each) => each.type === range);
    if (found !== undefined) return { quality: found.quality, isNamed: range === type };
  }
  return { quality: 0, isNamed: false };
}

/**
 * Whether a client wants a type rather than the usual one of an address. It must name the type, and with the same
 * quality it must not name the usual one.
 *
 * @param accept The header; without it the usual type is right.
 * @see RFC 9110 section 12.5.1
 */
export function prefersType(accept: string | undefined, type: string, usual: string): boolean {
  if (accept === undefined || !accept.toLowerCase().includes(type)) return false;
  const ranges = parseAccept(accept);
  const [wanted, other] = [findQuality(ranges, type), findQuality(ranges, usual)];
  if (!wanted.isNamed || wanted.quality === 0) return false;
  return wanted.quality > other.quality || (wanted.quality === other.quality && !other.isNamed);
}
